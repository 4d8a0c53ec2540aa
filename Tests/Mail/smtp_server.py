"""An SMTP server (aiosmtpd) that behaves as its options say, and notes each e-mail that it took.

    /usr/bin/python3 Tests/Mail/smtp_server.py --log FILE [options]

Prints "listening on PORT". Each e-mail is one line of JSON in FILE: sender, recipients, content. The name
before the @ of a recipient decides about it, so that one run has servers of every kind:

    greylisted    refused for a while: 451 at the first try, taken at the next
    unknown       refused for ever: 550 5.1.1
    foreign       refused for ever, as all are of whom the server relays nothing: 554 5.7.1
    full          refused for ever: 552 without a status
    spam          refused for ever after DATA: 554 5.7.1
    hanging       gets no answer, and a file FILE.hanging appears
    slow          is taken after the time of --slowness, in seconds
    late          is noted, and gets no answer
    cut           the connection is cut before the e-mail was acknowledged, but after it was noted
    cut-early     the connection is cut in the middle of the e-mail
    leaving       421 for the recipient, and the connection is closed

A client that ends its side of a connection leaves a file FILE.ended.
"""

import argparse
import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


def local_part(address):
    return address.split("@")[0]


class Handler:
    def __init__(self, options):
        self.options = options
        self.log = open(options.log, "a", encoding="utf-8")
        self.greylist = set()

    async def handle_MAIL(self, server, session, envelope, address, mail_options):
        if self.options.refuse_sender:
            return self.options.refuse_sender
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        name = local_part(address)
        if name == "greylisted" and address not in self.greylist:
            self.greylist.add(address)
            return "451 4.7.1 Greylisted, try again later"
        if name == "unknown":
            return "550 5.1.1 No such user"
        if name == "foreign":
            return "554 5.7.1 Relay access denied"
        if name == "full":
            return "552 Mailbox full"
        if name == "leaving":
            server.transport.write(b"421 4.3.2 Leaving\r\n")
            server.transport.close()
            return "421 4.3.2 Leaving"
        if name == "hanging":
            open(self.options.log + ".hanging", "w").close()
            await asyncio.sleep(3600)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_QUIT(self, server, session, envelope):
        if self.options.hang_goodbye:
            await asyncio.sleep(3600)
        return self.options.goodbye

    async def handle_DATA(self, server, session, envelope):
        names = [local_part(address) for address in envelope.rcpt_tos]
        if "spam" in names:
            return "554 5.7.1 Not wanted"
        line = json.dumps(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "user": session.auth_data if isinstance(session.auth_data, str) else None,
                "tls": session.ssl is not None or self.options.implicit_tls,
                "session": id(session),
                "content": envelope.content.decode("utf-8", "replace"),
            }
        )
        self.log.write(line + "\n")
        self.log.flush()
        if "slow" in names:
            await asyncio.sleep(self.options.slowness)
        if "late" in names:
            await asyncio.sleep(3600)
        if "cut" in names:
            server.transport.abort()
        return "250 OK"


class Server(SMTP):
    def __init__(self, handler, options, **arguments):
        super().__init__(handler, hostname="mail.test", ident="Test", **arguments)
        self.options = options

    async def push(self, status):
        # The greeting is the first thing that is said.
        if not getattr(self, "has_greeted", False):
            self.has_greeted = True
            if self.options.hang_greeting:
                await asyncio.sleep(3600)
            if self.options.greeting:
                status = self.options.greeting
        await super().push(status)

    def eof_received(self):
        open(self.options.log + ".ended", "w").close()
        return super().eof_received()

    async def smtp_DATA(self, argument):
        if any(local_part(address) == "cut-early" for address in self.envelope.rcpt_tos or []):
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            await self._reader.readline()
            self.transport.abort()
            return
        await super().smtp_DATA(argument)


def authenticator(options):
    def check(server, session, envelope, mechanism, data):
        login = getattr(data, "login", b"").decode()
        password = getattr(data, "password", b"").decode()
        good = login == options.user and password == options.password
        return AuthResult(success=good, handled=good, auth_data=login)

    return check


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--log", required=True)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--implicit-tls", action="store_true")
    parser.add_argument("--user")
    parser.add_argument("--password")
    parser.add_argument("--refuse-sender", default="")
    parser.add_argument("--greeting", default="")
    parser.add_argument("--hang-greeting", action="store_true")
    parser.add_argument("--goodbye", default="221 Bye")
    parser.add_argument("--hang-goodbye", action="store_true")
    parser.add_argument("--slowness", type=float, default=0)
    parser.add_argument("--timeout", type=float, default=300)
    options = parser.parse_args()

    tls = None
    if options.certificate:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(options.certificate, options.key)
    handler = Handler(options)

    def serve():
        return Server(
            handler,
            options,
            timeout=options.timeout,
            tls_context=None if options.implicit_tls else tls,
            require_starttls=tls is not None and not options.implicit_tls,
            auth_required=options.user is not None,
            auth_require_tls=tls is not None and not options.implicit_tls,
            authenticator=authenticator(options),
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        serve, options.host, options.port, ssl=tls if options.implicit_tls else None
    )
    print(f"listening on {server.sockets[0].getsockname()[1]}", flush=True)
    # The end of standard input is the end of the test that began this.
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
