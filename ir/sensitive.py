"""Fields whose values people should not see, whatever they look like."""

from __future__ import annotations

from .identity import words

_SENSITIVE = frozenset(
    """
    password passwd passphrase pin cvv cvc ssn secret token access_token refresh_token api_key apikey private_key iban
    phone phone_number mobile telephone email email_address
    """.split()  # noqa: SIM905  a list of words reads better without its quotes
)

#: Words that make any field sensitive that ends in them.
_ALWAYS = frozenset(("password", "passwd", "passphrase", "secret", "email", "phone"))


def is_sensitive(field: str) -> bool:
    """Whether a field is sensitive by its name.

    >>> [is_sensitive(field) for field in ("password", "apiKey", "phone-number", "passenger", "token_count")]
    [True, True, True, False, False]
    """
    found = words(field)
    return "_".join(found) in _SENSITIVE or "_".join(found[-2:]) in _SENSITIVE or (found[-1:] or [""])[0] in _ALWAYS
