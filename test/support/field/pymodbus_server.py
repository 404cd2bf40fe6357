"""A Modbus TCP server by somebody else (pymodbus 3.0, Debian 12): fifty slaves behind one port, as behind a gateway.

Usage: pymodbus_server.py PORT DEAD SLOW GARBAGE   (lists of slave numbers, separated by commas, or "-")

Word A of slave S is (S * 1000 + A) % 65536; as float32 at 1000 + 2 * k, S + k / 4. Registers 200 to 209 do not exist.
A dead slave says nothing, a slow one takes its time, one that sends garbage answers with bytes that are no Modbus.
"""

import asyncio
import logging
import struct
import sys
import types

# pymodbus wants the libraries of serial ports as soon as it is imported; nobody needs them here.
for name in ("serial", "serial_asyncio"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules["serial_asyncio"].create_serial_connection = None

from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext
from pymodbus.datastore.store import BaseModbusDataBlock
from pymodbus.server import async_io
from pymodbus.transaction import ModbusSocketFramer

SLAVES = range(1, 51)
SLOW_S = 0.06
FLOATS = 1000
MISSING = range(200, 210)


class Words(BaseModbusDataBlock):
    """The words of one slave, computed when they are asked for."""

    def __init__(self, slave):
        self.slave = slave
        self.address = 0
        self.default_value = 0
        self.values = {}

    def validate(self, address, count=1):
        asked = range(address, address + count)
        return address + count <= 2000 and not any(one in MISSING for one in asked)

    def word(self, address):
        if address < FLOATS:
            return (self.slave * 1000 + address) % 65536
        place, half = divmod(address - FLOATS, 2)
        return struct.unpack(">HH", struct.pack(">f", self.slave + place / 4))[half]

    def getValues(self, address, count=1):
        return [self.word(address + place) for place in range(count)]

    def setValues(self, address, values):
        raise NotImplementedError

    def reset(self):
        pass


def numbers(text):
    return set() if text == "-" else {int(one) for one in text.split(",")}


def misbehave(dead, slow, garbage):
    """Wraps the handler's way of answering: the request has been read and worked on by pymodbus itself."""
    original = async_io.ModbusBaseRequestHandler.execute

    def execute(self, request, *addr):
        unit = request.unit_id
        if unit in dead:
            return
        if unit in garbage:
            self.transport.write(bytes((unit * 7 + place * 31) % 256 for place in range(23)))
            return
        if unit in slow:
            asyncio.get_event_loop().call_later(SLOW_S, original, self, request, *addr)
            return
        original(self, request, *addr)

    async_io.ModbusBaseRequestHandler.execute = execute


async def main():
    logging.disable(logging.CRITICAL)
    port, dead, slow, garbage = sys.argv[1:5]
    misbehave(numbers(dead), numbers(slow), numbers(garbage))
    slaves = {
        unit: ModbusSlaveContext(hr=Words(unit), ir=Words(unit), di=Words(unit), co=Words(unit), zero_mode=True)
        for unit in SLAVES
    }
    server = async_io.ModbusTcpServer(
        ModbusServerContext(slaves=slaves, single=False),
        framer=ModbusSocketFramer,
        address=("127.0.0.1", int(port)),
        allow_reuse_address=True,
    )
    serving = asyncio.ensure_future(server.serve_forever())
    await server.serving
    print(server.server.sockets[0].getsockname()[1], flush=True)
    await serving


asyncio.run(main())
