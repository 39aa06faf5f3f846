"""Recording where a client meets the network: what is sent and what comes back, in one piece or as a stream.

The clients of OpenAI and Anthropic speak through `httpx`, older ones and newer ones through different releases of it,
so nothing of it is imported here: what is wrapped tells which one it is. So every way to call a model is seen alike.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any, TypeVar

from statemem.ir.diagnostics import UsageError
from statemem.ir.frontends.reading.json_text import JSONError, decode

from .recorder import Recorder

Client = TypeVar("Client")
Told = Callable[[bytes], None]


def recorded(client: Client, recorder: Recorder) -> Client:
    """The client of OpenAI or Anthropic, waiting or not, its calls recorded from now on.

    Any client that keeps one of `httpx` as they do will do. Raises `UsageError` for others.
    """
    inner: Any = getattr(client, "_client", None)
    package = _package(inner)
    if package is None:
        raise UsageError(
            f"{type(client).__name__} is no client that can be recorded; give one of OpenAI or Anthropic, "
            "or record each call with Recorder.call(request, response)"
        )
    wrap = functools.partial(Recording, recorder=recorder, package=package)
    inner._transport = wrap(inner._transport)
    inner._mounts = {key: one and wrap(one) for key, one in inner._mounts.items()}
    return client


def _package(inner: Any) -> ModuleType | None:
    """The release of httpx that a client is of."""
    for kind in type(inner).__mro__:
        root = kind.__module__.partition(".")[0]
        if root.startswith("httpx") and hasattr(inner, "_transport") and hasattr(inner, "_mounts"):
            return importlib.import_module(root)
    return None


class Recording:
    """A transport that hands on to another, and records what passes."""

    def __init__(self, inner: Any, recorder: Recorder, package: ModuleType) -> None:
        self._inner = inner
        self._recorder = recorder
        self._package = package

    def handle_request(self, request: Any) -> Any:
        """Send a request; its answer is recorded when it has been read to the end."""
        body = request.read()
        return self._followed(body, self._inner.handle_request(request), _tees(self._package)[0])

    async def handle_async_request(self, request: Any) -> Any:
        """The same for clients that wait."""
        body = await request.aread()
        return self._followed(body, await self._inner.handle_async_request(request), _tees(self._package)[1])

    def _followed(self, body: bytes, response: Any, tee: type) -> Any:
        """A response whose stream is kept; one that came whole, from a cache perhaps, is recorded at once."""
        if response.is_stream_consumed:
            self._record(body, response)
        else:
            response.stream = tee(response.stream, functools.partial(self._record_raw, body, response))
        return response

    def _record_raw(self, body: bytes, response: Any, raw: bytes) -> None:
        whole = self._package.Response(response.status_code, headers=response.headers, content=raw)
        self._record(body, whole)

    def _record(self, body: bytes, response: Any) -> None:
        """A call that failed is none that anybody was answered."""
        request = _decoded(body)
        if isinstance(request, dict) and response.is_success:
            self._recorder.call(request, self._answer(response))

    def _answer(self, response: Any) -> Any:
        """The answer as data, or as the text of the events it came in."""
        try:
            text = response.text
        except self._package.DecodingError:
            return {}
        found = _decoded(text.encode())
        return text if found is None else found

    def close(self) -> None:
        """Close the transport behind."""
        self._inner.close()

    async def aclose(self) -> None:
        """Close the transport behind."""
        await self._inner.aclose()

    def __enter__(self) -> Recording:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._inner.__exit__(*error)

    async def __aenter__(self) -> Recording:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._inner.__aexit__(*error)


class _Kept:
    """The bytes of a stream, told of once: when it ends, or is left."""

    def __init__(self, inner: Any, told: Told) -> None:
        self._inner = inner
        self._told: Told | None = told
        self._parts: list[bytes] = []

    def _tell(self) -> None:
        told, self._told = self._told, None
        if told is not None:
            told(b"".join(self._parts))


class _Tee(_Kept):
    """A stream that is read."""

    def __iter__(self) -> Iterator[bytes]:
        for part in self._inner:
            self._parts.append(part)
            yield part

    def close(self) -> None:
        self._inner.close()
        self._tell()


class _AsyncTee(_Kept):
    """A stream that is waited for."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            self._parts.append(part)
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()
        self._tell()


@functools.cache
def _tees(package: ModuleType) -> tuple[type, type]:
    """The two streams as that release wants them."""
    return type("Tee", (_Tee, package.SyncByteStream), {}), type("AsyncTee", (_AsyncTee, package.AsyncByteStream), {})


def _decoded(raw: bytes) -> Any:
    try:
        return decode(raw.decode())
    except (JSONError, UnicodeDecodeError):
        return None
