"""Reads an e-mail from standard input with Python's own parser, and prints its parts as JSON."""

import email
import email.policy
import json
import sys


def read_body(message, kind):
    part = message.get_body(preferencelist=(kind,))
    return None if part is None else part.get_content()


def read_all(message, name):
    # A header that is folded before its value begins with white space.
    return [value.strip() for value in message.get_all(name, [])]


def list_defects(message):
    found = [str(defect) for defect in message.defects]
    for header in message.values():
        found += [str(defect) for defect in getattr(header, "defects", [])]
    for part in message.iter_parts() if message.is_multipart() else []:
        found += list_defects(part)
    return found


message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
print(json.dumps({
    "subject": message["subject"],
    "from": [[a.display_name, a.addr_spec] for a in message["from"].addresses],
    "to": [[a.display_name, a.addr_spec] for a in message["to"].addresses],
    "message_id": message["message-id"],
    "list_unsubscribe": read_all(message, "list-unsubscribe"),
    "list_unsubscribe_post": read_all(message, "list-unsubscribe-post"),
    "names": sorted({name.lower() for name in message.keys()}),
    "text": read_body(message, "plain"),
    "html": read_body(message, "html"),
    "defects": list_defects(message),
}))
