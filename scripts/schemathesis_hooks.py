"""What a run of Schemathesis is told: who asks, and ids of things that exist."""

import json
import os

import schemathesis
from schemathesis.core.parameters import ParameterLocation

with open(os.environ["VALUES_FILE"], encoding="utf-8") as file:
    VALUES = json.load(file)


@schemathesis.auth(refresh_interval=20)
class Token:
    """The bearer token, read again from its file: one lives five minutes."""

    def get(self, case, context):
        with open(os.environ["TOKEN_FILE"], encoding="utf-8") as file:
            return file.read().strip()

    def set(self, case, data, context):
        if data:
            case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Put the ids of things that exist where the call is not about a wrong id."""
    parts = {
        ParameterLocation.PATH: ("path", case.path_parameters),
        ParameterLocation.QUERY: ("query", case.query),
    }
    for location, (name, held) in parts.items():
        made = case.meta.components.get(location) if case.meta else None
        if not held or (made is not None and made.mode.is_negative):
            continue
        for key, value in VALUES[name].items():
            if key in held:
                held[key] = value


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Schemathesis 4.32 fails at lists of fixed places (prefixItems): each place may be any of them."""
    places = [raw_schema]
    while places:
        one = places.pop()
        if isinstance(one, dict):
            if "prefixItems" in one:
                one["items"] = {"anyOf": one.pop("prefixItems")}
            places.extend(one.values())
        elif isinstance(one, list):
            places.extend(one)
