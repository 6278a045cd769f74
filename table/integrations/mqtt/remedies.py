"""What to do if there is no connection to the broker."""

from __future__ import annotations

import socket
import ssl

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode

_NOT_FOR_US = (0x86, 0x87, 0x8C)
"""MQTT 5: bad user name or password, not authorized, bad authentication method."""

_OTHERWISE = "check [mqtt] of the settings file and the network"


def cause(wrong: BaseException) -> BaseException:
    """The root cause of an error: aiomqtt's own error has only the text of the system's."""
    below = wrong.__cause__ or wrong.__context__
    told_again = isinstance(wrong, aiomqtt.MqttError) and not isinstance(wrong, aiomqtt.MqttCodeError)
    return below if told_again and isinstance(below, OSError | aiomqtt.MqttCodeError) else wrong


def remedy(wrong: BaseException) -> str:
    """What to do about a failed connection."""
    match cause(wrong):
        case aiomqtt.MqttCodeError(rc=ReasonCode(value=value)) if value in _NOT_FOR_US:
            return "check user, password_file and the broker's rights"
        case ssl.SSLCertVerificationError():
            return "check `ca` and `host` in [mqtt]: the broker's certificate must fit both"
        case ssl.SSLError():
            return "check `tls`, `ca` and `port` in [mqtt]"
        case socket.gaierror():
            return "check `host` in [mqtt] and the network's DNS"
        case ConnectionRefusedError():
            return "check `host` and `port` in [mqtt], and whether the broker runs"
        case OSError(filename=str(file)):
            return f"check {file} and its rights"
        case TimeoutError() | aiomqtt.MqttError():
            return "check `host`, `port` and `tls` in [mqtt], and whether the broker runs"
    return _OTHERWISE
