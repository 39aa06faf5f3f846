"""Fields whose values people should not see, whatever they look like."""

from __future__ import annotations

from .identity import words

_SECRET = frozenset(
    """
    password passwd passphrase pin cvv cvc ssn secret token access_token refresh_token api_key apikey private_key iban
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)
_CONTACT = frozenset("phone phone_number mobile telephone email email_address".split())  # noqa: SIM905
#: Words that make any field sensitive that ends in them.
_ALWAYS = frozenset(("password", "passwd", "passphrase", "secret", "email", "phone"))


def is_sensitive(field: str) -> bool:
    """Whether a field is sensitive by its name.

    >>> [is_sensitive(field) for field in ("user_password", "apiKey", "phone-number", "passenger", "token_count")]
    [True, True, True, False, False]
    """
    return is_secret(field) or _names(field, _CONTACT)


def is_secret(field: str) -> bool:
    """Whether a field holds something that nobody but its owner should ever see.

    >>> is_secret("pin"), is_secret("email")
    (True, False)
    """
    return _names(field, _SECRET)


def _names(field: str, known: frozenset[str]) -> bool:
    found = words(field)
    if not found:
        return False
    return bool({"_".join(found), "_".join(found[-2:])} & known) or found[-1] in known & _ALWAYS
