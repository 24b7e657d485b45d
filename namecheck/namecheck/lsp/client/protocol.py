"""The protocol's demands on every message, before any handler sees it: each request gets an answer.

pygls calls the handlers. Requests that it leaves unanswered are refused here, with the codes of
JSON-RPC 2.0 and of the language server protocol 3.17 ("Request Message", "Lifecycle Messages"): a
request before `initialize`, after `shutdown`, of a wrong form, or with parameters that do not fit
its method.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import attrs
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.json_rpc import JsonRPCResponseMessage

from namecheck.lsp.texts import Texts

if TYPE_CHECKING:
    from cattrs import Converter

__all__ = ["DIMS", "Protocol", "converter"]

log = logging.getLogger(__name__)

DIMS: Final = "namecheck/dims"
"""A request of our own: the dims of what stands at a place."""


@attrs.frozen
class DimsRequest:
    """The message of a request for dims, as the types of the protocol's own requests."""

    id: int | str
    params: types.TextDocumentPositionParams
    jsonrpc: str
    method: str = DIMS


OWN: Final = {DIMS: DimsRequest}
"""The requests that are not of the protocol, and their messages."""

LARGEST: Final = 2**31 - 1
"""The largest `uinteger` of the protocol."""


class Protocol(LanguageServerProtocol):
    """The protocol, with our own texts (`texts`), and an answer to every request.

    `is_begun`: the client has sent `initialize`.
    """

    is_begun = False

    def adopt(self, texts: Texts) -> None:
        """Keep the client's texts here."""
        self._workspace = texts

    @property
    def is_shut_down(self) -> bool:
        """Whether the client has sent `shutdown`."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A JSON object, unchanged.

        `json` calls this for every object, the inner ones first, and only the outermost one is a
        message.
        """
        return data

    def handle_message(self, message: Any) -> None:
        """Handle a message of any form."""
        if not isinstance(message, dict):
            self._refuse(None, JsonRpcInvalidRequest("a message must be an object, not a batch"))
            return
        number, method = message.get("id"), message.get("method")
        if method is None and ("result" in message or "error" in message):
            self._take_answer(message)
            return
        if isinstance(number, bool) or not isinstance(number, int | str | None):
            self._refuse(None, JsonRpcInvalidRequest("an id must be a string or an integer"))
        elif "id" in message and number is None:
            self._refuse(None, JsonRpcInvalidRequest("the id of a request must not be null"))
        elif message.get("jsonrpc") != self.VERSION:
            self._refuse(number, JsonRpcInvalidRequest("a message must have jsonrpc: '2.0'"))
        elif not isinstance(method, str):
            self._refuse(number, JsonRpcInvalidRequest("a method must be a string"))
        elif number is None or method == types.EXIT:
            self._notify(method, message)
        else:
            self._request(number, method, message)

    def _request(self, number: int | str, method: str, message: dict[str, Any]) -> None:
        try:
            self._check_state(method)
            self._get_handler(method)  # raises if there is none
            message_type, answer_type, *_ = types.METHOD_TO_TYPES.get(method, (None, None))
            kind = OWN.get(method) if answer_type is None else message_type
            if kind is None:
                raise JsonRpcInvalidRequest(f"{method} is not a request")
            request = self._structured(message, kind)
        except JsonRpcException as refusal:
            self._refuse(number, refusal)
            return
        super().handle_message(request)

    def _check_state(self, method: str) -> None:
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server was shut down")
        if method == types.INITIALIZE:
            if self.is_begun:
                raise JsonRpcInvalidRequest("the server is already initialized")
        elif not self.is_begun:
            raise JsonRpcServerNotInitialized("the server is not initialized yet")

    def _notify(self, method: str, message: dict[str, Any]) -> None:
        """Handle a notification. It is never answered; the log says if it is invalid."""
        if method != types.EXIT and (self._shutdown or not self.is_begun):
            log.warning("ignored %s before initialize or after shutdown", method)
            return
        types_of = types.METHOD_TO_TYPES.get(method)
        if types_of is None or types_of[1] is not None:
            log.info("ignored %s: not a known notification", method)
            return
        bare = {key: value for key, value in message.items() if key != "id"}
        try:
            notification = self._structured(bare, types_of[0])
        except JsonRpcInvalidParams as fault:
            log.warning("ignored %s: %s", method, fault.message)
            return
        super().handle_message(notification)

    def _take_answer(self, message: dict[str, Any]) -> None:
        """Take the client's answer to a request of ours."""
        number = message.get("id")
        if not isinstance(number, str) or number not in self._result_types:
            log.warning("ignored an answer to a request that was not sent")
            return
        answer_type = self._result_types.pop(number) or JsonRPCResponseMessage
        try:
            if "error" in message:
                answer = self._structured(message, types.ResponseErrorMessage)
            else:
                answer = self._structured(message, answer_type)
        except JsonRpcInvalidParams as fault:
            log.warning("ignored an invalid answer: %s", fault.message)
            self._request_futures.pop(number).cancel()
            return
        super().handle_message(answer)

    def _structured(self, message: dict[str, Any], kind: Any) -> Any:
        """A message as a value of the protocol's types. Raises `JsonRpcInvalidParams`."""
        try:
            return self._converter.structure(message, kind)
        except Exception as fault:  # cattrs does not wrap what a type's own conversion raises
            raise JsonRpcInvalidParams(_what_is_wrong(fault)) from None

    def _refuse(self, number: int | str | None, refusal: JsonRpcException) -> None:
        """Answer with an error. lsprotocol leaves out an id that is null; JSON-RPC does not."""
        log.info("refused: %s", refusal.message)
        error = {"code": refusal.code, "message": refusal.message}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": error})

    def refuse_unreadable(self, fault: Exception) -> None:
        """Answer a message that is not JSON, and so has no id."""
        self._refuse(None, JsonRpcParseError(f"not JSON: {_short(str(fault))}"))


def converter() -> Converter:
    """pygls' converter, with positions that clients send for "after the end"."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    converter.register_structure_hook(types.Position, _position)
    return converter


def _position(value: Any, _: type) -> types.Position:
    return types.Position(*(_uinteger(value[name]) for name in ("line", "character")))


def _uinteger(value: Any) -> int:
    """A count of lines or code units. Some clients send 2**32 - 1, or more, for "the end"."""
    if isinstance(value, float) and value.is_integer():  # 3.0 is an integer in JSON
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"a place is an integer from 0 on, not {_short(repr(value))}")
    return min(value, LARGEST)


def _what_is_wrong(fault: Exception) -> str:
    """The reasons for a failed conversion, each cut to the length of a line."""
    from cattrs import transform_error

    try:
        reasons = transform_error(fault, path="message")
    except Exception:  # such as a fault that is nested too deeply
        reasons = [type(fault).__name__]
    return f"Invalid Params: {'; '.join(map(_short, reasons[:3]))}"


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]} ..."
