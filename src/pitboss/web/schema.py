"""Prints the description of HTTP and WebSocket; the front end's types are generated from it."""

import sys

import msgspec

from pitboss.house.config import Config
from pitboss.web.messages import describe_messages
from pitboss.web.server import application

if __name__ == "__main__":
    described = describe_messages(application(Config()).openapi_schema.to_schema())
    sys.stdout.buffer.write(msgspec.json.encode(described, enc_hook=str))
