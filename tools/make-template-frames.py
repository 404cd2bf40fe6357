"""Makes the golden frames of system templates: test/data/device-templates/*.json

    /usr/bin/python3 tools/make-template-frames.py        (Debian: python3-pymodbus)

The frames are encoded by pymodbus from the types, word orders and addresses of the public documents that
docs/integrate/device-templates.md names. Nothing is read from seed/device-templates, so a template whose
address, type, word order, scale or sign is wrong does not decode them to the expected values.

A row is: address, type, raw value in the device, metric, expected stored value (kWh, kvarh, kW, kvar, kVA, V, A,
Hz, %, degrees; consumption positive). None stands for "no value". A row without a metric is a scale factor or a
state. The script writes unformatted JSON: run biome on the folder afterwards.
"""

import json
import sys
import types
from pathlib import Path

# pymodbus imports the libraries of serial ports; they are not needed.
for name in ("serial", "serial_asyncio"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules["serial_asyncio"].create_serial_connection = None

from pymodbus.constants import Endian
from pymodbus.factory import ClientDecoder
from pymodbus.payload import BinaryPayloadBuilder
from pymodbus.register_read_message import (
    ReadHoldingRegistersRequest,
    ReadHoldingRegistersResponse,
    ReadInputRegistersRequest,
    ReadInputRegistersResponse,
)
from pymodbus.transaction import ModbusSocketFramer

FOLDER = Path(__file__).parent.parent / "test/data/device-templates"
MESSAGES = {
    3: (ReadHoldingRegistersRequest, ReadHoldingRegistersResponse),
    4: (ReadInputRegistersRequest, ReadInputRegistersResponse),
}
ADD = {
    "u16": "add_16bit_uint",
    "i16": "add_16bit_int",
    "u32": "add_32bit_uint",
    "i32": "add_32bit_int",
    "u64": "add_64bit_uint",
    "f32": "add_32bit_float",
}
U16_NA, U32_NA, I32_NA = 0xFFFF, 0xFFFFFFFF, 0x7FFFFFFF
S16_NA, S32_NA = -0x8000, -0x80000000


class Device:
    """`blocks` are the requests: first address and number of registers."""

    def __init__(self, function, unit, blocks, rows, word_order=Endian.Big):
        self.function, self.unit, self.blocks, self.rows = function, unit, blocks, rows
        self.word_order = word_order

    def words(self):
        words = {}
        for address, kind, raw, *_ in self.rows:
            builder = BinaryPayloadBuilder(byteorder=Endian.Big, wordorder=self.word_order)
            getattr(builder, ADD[kind])(raw)
            for index, word in enumerate(builder.to_registers()):
                words[address + index] = word
        return words

    def exchanges(self):
        words = self.words()
        framer = ModbusSocketFramer(ClientDecoder())
        ask, respond = MESSAGES[self.function]
        for number, (address, count) in enumerate(self.blocks, 1):
            request = ask(address, count)
            response = respond([words.get(address + index, 0) for index in range(count)])
            for message in (request, response):
                message.transaction_id, message.unit_id = number, self.unit
            yield {
                "registers": f"{self.function}:{address}+{count}",
                "request": framer.buildPacket(request).hex(),
                "response": framer.buildPacket(response).hex(),
            }

    def expect(self):
        return {row[3]: row[4] for row in self.rows if len(row) == 5}


ENTES_MPR = Device(3, 1, [(0, 82), (216, 24), (296, 4), (356, 4)], [
    (0, "u32", 2301, "voltage_l1", 230.1),
    (2, "u32", 2312, "voltage_l2", 231.2),
    (4, "u32", 2323, "voltage_l3", 232.3),
    (14, "u32", 100250, "current_l1", 100.25),
    (16, "u32", 9875, "current_l2", 9.875),
    (18, "u32", 12001, "current_l3", 12.001),
    (24, "u32", 4998, "frequency", 49.98),
    (26, "f32", -1500.5, "active_power_l1", -1.5005),
    (28, "f32", 2250.25, "active_power_l2", 2.25025),
    (30, "f32", 3000.0, "active_power_l3", 3),
    (38, "f32", 3749.75, "active_power", 3.74975),
    (56, "f32", -812.5, "reactive_power", -0.8125),
    (70, "f32", 3840.0, "apparent_power", 3.84),
    (80, "i32", -976, "power_factor", -0.976),
    (216, "u64", 12345678901, "import_active_energy", 12345678.901),
    (236, "u64", 4321000, "export_active_energy", 4321),
    (296, "u64", 987654, "inductive_reactive_energy", 987.654),
    (356, "u64", 123456, "capacitive_reactive_energy", 123.456),
])

SMA_INVERTER = Device(3, 3, [
    (30513, 4), (30775, 2), (30783, 6), (30803, 4), (30813, 2), (30953, 2), (30977, 6),
], [
    (30513, "u64", 5123456789, "production_active_energy", 5123456.789),
    (30775, "i32", 18432, "active_power", -18.432),
    (30783, "u32", 23012, "voltage_l1", 230.12),
    (30785, "u32", 23123, "voltage_l2", 231.23),
    (30787, "u32", U32_NA, "voltage_l3", None),
    (30803, "u32", 5001, "frequency", 50.01),
    (30805, "i32", -250, "reactive_power", -0.25),
    (30813, "i32", 18434, "apparent_power", 18.434),
    (30953, "i32", 412, "temperature", 41.2),
    (30977, "i32", 26650, "current_l1", 26.65),
    (30979, "i32", 26710, "current_l2", 26.71),
    (30981, "i32", S32_NA, "current_l3", None),
])

SOLAREDGE_INVERTER = Device(3, 1, [(40071, 37), (40093, 3)], [
    (40071, "u16", 2174, "current", 21.74),
    (40072, "u16", 725, "current_l1", 7.25),
    (40073, "u16", 726, "current_l2", 7.26),
    (40074, "u16", U16_NA, "current_l3", None),
    (40075, "i16", -2),
    (40079, "u16", 2301, "voltage_l1", 230.1),
    (40080, "u16", 2312, "voltage_l2", 231.2),
    (40081, "u16", 2323, "voltage_l3", 232.3),
    (40082, "i16", -1),
    (40083, "i16", 15120, "active_power", -15.12),
    (40084, "i16", 0),
    (40085, "u16", 50012, "frequency", 50.012),
    (40086, "i16", -3),
    (40087, "i16", 15125, "apparent_power", 15.125),
    (40088, "i16", 0),
    (40089, "i16", -1200, "reactive_power", -0.12),
    (40090, "i16", -1),
    (40091, "i16", 9985, "power_factor", 0.9985),
    (40092, "i16", -2),
    (40093, "u32", 123456789, "production_active_energy", 123456.789),
    (40095, "i16", 0),
    (40100, "i16", 15400, "dc_power", 15.4),
    (40101, "i16", 0),
    (40103, "i16", 4567, "temperature", 45.67),
    (40106, "i16", -2),
])

SOLAREDGE_METER = Device(3, 1, [(40190, 36), (40226, 17)], [
    (40190, "i16", 100, "current", 10),
    (40191, "i16", 40, "current_l1", 4),
    (40192, "i16", 35, "current_l2", 3.5),
    (40193, "i16", S16_NA, "current_l3", None),
    (40194, "i16", -1),
    (40196, "i16", 23010, "voltage_l1", 230.1),
    (40197, "i16", 23020, "voltage_l2", 230.2),
    (40198, "i16", 23030, "voltage_l3", 230.3),
    (40203, "i16", -2),
    (40204, "i16", 4998, "frequency", 49.98),
    (40205, "i16", -2),
    (40206, "i16", 2500, "active_power", -2.5),
    (40207, "i16", 1500, "active_power_l1", -1.5),
    (40208, "i16", -500, "active_power_l2", 0.5),
    (40209, "i16", 1500, "active_power_l3", -1.5),
    (40210, "i16", 0),
    (40226, "u32", 123456789, "export_active_energy", 123456.789),
    (40234, "u32", 7654321, "import_active_energy", 7654.321),
    (40242, "i16", 0),
])

SUNGROW_SG = Device(4, 1, [(5003, 2), (5007, 29)], [
    (5003, "u32", 123456, "production_active_energy", 123456),
    (5007, "i16", -15, "temperature", -1.5),
    (5018, "u16", 2301, "voltage_l1", 230.1),
    (5019, "u16", 2312, "voltage_l2", 231.2),
    (5020, "u16", 2323, "voltage_l3", 232.3),
    (5021, "i16", 1201, "current_l1", 120.1),
    (5022, "i16", 1202, "current_l2", 120.2),
    (5023, "i16", 1203, "current_l3", 120.3),
    (5030, "u32", 82500, "active_power", -82.5),
    (5032, "i32", -70000, "reactive_power", -70),
    (5034, "i16", -998, "power_factor", -0.998),
    (5035, "u16", 501, "frequency", 50.1),
], Endian.Little)

SUNGROW_SG_METER = Device(4, 1, [(5082, 2), (5094, 6)], [
    (5082, "i32", -75000, "active_power", -75),
    (5094, "u32", 1234567, "export_active_energy", 123456.7),
    (5098, "u32", 7654321, "import_active_energy", 765432.1),
], Endian.Little)

SUNGROW_SH = Device(4, 1, [(5007, 14), (5032, 3), (13002, 2), (13030, 5)], [
    (5007, "i16", 385, "temperature", 38.5),
    (5016, "u32", 70123, "dc_power", 70.123),
    (5018, "u16", 2301, "voltage_l1", 230.1),
    (5019, "u16", 2312, "voltage_l2", 231.2),
    (5020, "u16", 2323, "voltage_l3", 232.3),
    (5032, "i32", -120, "reactive_power", -0.12),
    (5034, "i16", 999, "power_factor", 0.999),
    (13002, "u32", 654321, "production_active_energy", 65432.1),
    (13030, "i16", 145, "current_l1", 14.5),
    (13031, "i16", -146, "current_l2", -14.6),
    (13032, "i16", 147, "current_l3", 14.7),
    (13033, "i32", -70000, "active_power", 70),
], Endian.Little)

SUNGROW_SH_METER = Device(4, 1, [(13009, 2), (13036, 11)], [
    (13009, "i32", 70500, "active_power", -70.5),
    (13036, "u32", 654321, "import_active_energy", 65432.1),
    (13045, "u32", 765432, "export_active_energy", 76543.2),
], Endian.Little)

SUNGROW_SH_BATTERY = Device(4, 1, [(13019, 6), (13026, 2), (13040, 2)], [
    (13019, "u16", 2567, "voltage", 256.7),
    (13022, "u16", 805, "state_of_charge", 80.5),
    (13024, "i16", -12, "temperature", -1.2),
    (13026, "u32", 100001, "battery_discharge_energy", 10000.1),
    (13040, "u32", 110002, "battery_charge_energy", 11000.2),
], Endian.Little)

GROWATT_TL3_X = Device(4, 1, [(35, 13), (55, 2), (93, 1)], [
    (35, "u32", 825000, "active_power", -82.5),
    (37, "u16", 5002, "frequency", 50.02),
    (38, "u16", 2301, "voltage_l1", 230.1),
    (39, "u16", 1201, "current_l1", 120.1),
    (42, "u16", 2312, "voltage_l2", 231.2),
    (43, "u16", 1202, "current_l2", 120.2),
    (46, "u16", 2323, "voltage_l3", 232.3),
    (47, "u16", 1203, "current_l3", 120.3),
    (55, "u32", 1234567, "production_active_energy", 123456.7),
    (93, "i16", -25, "temperature", -2.5),
])

GROWATT_MIN_TL_X = Device(4, 1, [(3023, 5), (3051, 2), (3093, 1)], [
    (3023, "u32", 70005, "active_power", -7.0005),
    (3025, "u16", 4999, "frequency", 49.99),
    (3026, "u16", 2305, "voltage", 230.5),
    (3027, "u16", 304, "current", 30.4),
    (3051, "u32", 765432, "production_active_energy", 76543.2),
    (3093, "i16", 451, "temperature", 45.1),
])

GOODWE_ET = Device(3, 247, [(35121, 18), (35176, 1), (35191, 2)], [
    (35121, "u16", 2393, "voltage_l1", 239.3),
    (35122, "u16", 15, "current_l1", 1.5),
    (35123, "u16", 4999, "frequency", 49.99),
    (35126, "u16", 2415, "voltage_l2", 241.5),
    (35127, "u16", 13, "current_l2", 1.3),
    (35131, "u16", 2411, "voltage_l3", 241.1),
    (35132, "u16", 11, "current_l3", 1.1),
    (35138, "i16", 8310, "active_power", -8.31),
    (35176, "i16", 587, "temperature", 58.7),
    (35191, "u32", 360853, "production_active_energy", 36085.3),
])

GOODWE_ET_METER = Device(3, 247, [(36015, 4), (36019, 8)], [
    (36015, "f32", 10514.375, "export_active_energy", 10.514),
    (36017, "f32", 3254462.25, "import_active_energy", 3254.462),
    (36019, "i32", -70000, "active_power_l1", 70),
    (36021, "i32", 1500, "active_power_l2", -1.5),
    (36023, "i32", 2500, "active_power_l3", -2.5),
    (36025, "i32", -66000, "active_power", 66),
])

GOODWE_ET_BATTERY = Device(3, 247, [(35180, 4), (35206, 5), (37007, 1)], [
    (35180, "u16", 3815, "voltage", 381.5),
    (35182, "i32", -2512, "active_power", 2.512),
    (35206, "u32", 127581, "battery_charge_energy", 12758.1),
    (35209, "u32", 124421, "battery_discharge_energy", 12442.1),
    (37007, "u16", 68, "state_of_charge", 68),
])

HUAWEI_SUN2000 = Device(3, 1, [(32064, 26), (32106, 2)], [
    (32064, "i32", 101500, "dc_power", 101.5),
    (32069, "u16", 2301, "voltage_l1", 230.1),
    (32070, "u16", 2312, "voltage_l2", 231.2),
    (32071, "u16", U16_NA, "voltage_l3", None),
    (32072, "i32", 144123, "current_l1", 144.123),
    (32074, "i32", 143001, "current_l2", 143.001),
    (32076, "i32", I32_NA, "current_l3", None),
    (32080, "i32", 99875, "active_power", -99.875),
    (32082, "i32", -1500, "reactive_power", -1.5),
    (32084, "i16", -997, "power_factor", -0.997),
    (32085, "u16", 4997, "frequency", 49.97),
    (32087, "i16", 512, "temperature", 51.2),
    (32089, "u16", 0x0200),
    (32106, "u32", 123456789, "production_active_energy", 1234567.89),
])

HUAWEI_LUNA2000 = Device(3, 1, [(37760, 7), (37780, 4)], [
    (37760, "u16", 805, "state_of_charge", 80.5),
    (37765, "i32", -4800, "active_power", -4.8),
    (37780, "u32", 123456, "battery_charge_energy", 1234.56),
    (37782, "u32", 112233, "battery_discharge_energy", 1122.33),
])

HUAWEI_POWER_SENSOR = Device(3, 1, [(37101, 37), (37119, 4)], [
    (37101, "i32", 2301, "voltage_l1", 230.1),
    (37103, "i32", 2312, "voltage_l2", 231.2),
    (37105, "i32", I32_NA, "voltage_l3", None),
    (37107, "i32", -1250, "current_l1", -12.5),
    (37109, "i32", 1301, "current_l2", 13.01),
    (37111, "i32", 1302, "current_l3", 13.02),
    (37113, "i32", 70500, "active_power", -70.5),
    (37115, "i32", 1200, "reactive_power", -1.2),
    (37117, "i16", 998, "power_factor", 0.998),
    (37118, "i16", 5003, "frequency", 50.03),
    (37119, "i32", 123456, "export_active_energy", 1234.56),
    (37121, "i32", 654321, "import_active_energy", 6543.21),
    (37132, "i32", 70000, "active_power_l1", -70),
    (37134, "i32", -500, "active_power_l2", 0.5),
    (37136, "i32", 1000, "active_power_l3", -1),
])

for variable, device in list(globals().items()):
    if not isinstance(device, Device):
        continue
    name = variable.lower().replace("_", "-")
    document = {"template": name, "exchanges": list(device.exchanges()), "expect": device.expect()}
    (FOLDER / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n")
