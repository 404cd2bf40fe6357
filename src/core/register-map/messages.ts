import { messages } from '../../kernel/messages.ts'

/** Faults of the value of an attribute, and of the structure of a document. */
export const VALUE_FAULTS = messages({
  MAP_NOT_ARRAY: { en: 'must be array', tr: 'liste olmalı' },
  MAP_NOT_OBJECT: { en: 'must be object', tr: 'nesne olmalı' },
  MAP_TOO_MANY_ITEMS: { en: 'must NOT have more than {max} items', tr: 'en çok {max} öğe içerebilir' },
  MAP_NO_GROUP: { en: 'must have at least one group', tr: 'en az bir grup içermeli' },
  MAP_TOO_MANY_GROUPS: { en: 'must NOT have more than {max} groups', tr: 'en çok {max} grup içerebilir' },
  MAP_GROUP_NAME: {
    en: 'must be named with letters, digits and _',
    tr: 'adı yalnızca harf, rakam ve _ içerebilir',
  },
  MAP_FIELD_UNKNOWN: { en: 'is not known', tr: 'bilinmeyen alan' },
  MAP_FIELD_MISSING: {
    en: "must have required property '{name}'",
    tr: 'zorunlu alan eksik: {name}',
  },
  MAP_NOT_STRING: { en: 'must be string', tr: 'metin olmalı' },
  MAP_TEXT_LENGTH: { en: 'must have 1 to {max} characters', tr: '1 ile {max} karakter arasında olmalı' },
  MAP_TEXT_PATTERN: { en: 'must match {pattern}', tr: 'şu kalıba uymalı: {pattern}' },
  MAP_KEY_FORM: {
    en: 'must begin with a letter and have 1 to 64 letters, digits or _',
    tr: 'harfle başlamalı; 1 ile 64 arasında harf, rakam ya da _ içermeli',
  },
  MAP_METRIC_FORM: {
    en: 'must begin with a letter and have letters, digits, _ . or -',
    tr: 'harfle başlamalı; yalnızca harf, rakam, _ . ya da - içerebilir',
  },
  MAP_NOT_HEX: { en: 'must be hex', tr: 'onaltılık (hex) olmalı' },
  MAP_NOT_FINITE: { en: 'must be a finite number', tr: 'sonlu bir sayı olmalı' },
  MAP_TOO_LOW: { en: 'must be >= {min}', tr: 'en az {min} olmalı' },
  MAP_TOO_HIGH: { en: 'must be <= {max}', tr: 'en çok {max} olmalı' },
  MAP_NOT_INTEGER: { en: 'must be integer', tr: 'tam sayı olmalı' },
  MAP_NOT_BOOLEAN: { en: 'must be true or false', tr: 'true ya da false olmalı' },
  MAP_NOT_ONE_OF: { en: 'must be one of {allowed}', tr: 'şu değerlerden biri olmalı: {allowed}' },
  MAP_NO_TRANSPORT: {
    en: 'must be a list of at least one transport',
    tr: 'en az bir aktarım yolu içeren bir liste olmalı',
  },
  MAP_TRANSPORT_UNKNOWN: {
    en: 'must hold only {allowed}',
    tr: 'yalnızca şu değerleri içerebilir: {allowed}',
  },
  MAP_ITEM_TWICE: { en: 'must NOT have duplicate items', tr: 'aynı öğeyi iki kez içermemeli' },
  MAP_LIST_TOO_LONG: {
    en: 'must be a list of at most {max} values',
    tr: 'en çok {max} değer içeren bir liste olmalı',
  },
  MAP_NA_VALUE_FORM: {
    en: 'must hold numbers, "nan" or bits such as "0x8000"',
    tr: 'sayılar, "nan" ya da "0x8000" gibi bitler içermeli',
  },
  MAP_MASK_FORM: { en: 'must be bits such as "0x00ff"', tr: '"0x00ff" gibi bitler olmalı' },
  MAP_LABELS_FORM: {
    en: 'must be an object of at most {max} words by whole number',
    tr: 'tam sayılara karşılık en çok {max} sözcük içeren bir nesne olmalı',
  },
  MAP_EXPECTED_FORM: {
    en: 'must be an object of numbers, texts, true, false or null by key',
    tr: 'anahtarlara karşılık sayı, metin, true, false ya da null içeren bir nesne olmalı',
  },
  MAP_EXPECTED_COUNT: { en: 'must name 1 to {max} keys', tr: '1 ile {max} arasında anahtar içermeli' },
})

/** Faults of a register by itself. */
export const REGISTER_FAULTS = messages({
  MAP_NOTHING_READ: {
    en: 'is missing, and so is mqtt_path: nothing can be read',
    tr: 'eksik, mqtt_path de eksik: hiçbir değer okunamaz',
  },
  MAP_FUNCTION_MISSING: { en: 'is missing beside an address', tr: 'adres verildiğinde zorunludur' },
  MAP_NEEDS_ADDRESS: { en: 'has no meaning without an address', tr: 'adres olmadan anlamı yoktur' },
  MAP_FUNCTION_ACCESS: {
    en: 'must be one of {allowed} where access is {access}',
    tr: 'access {access} iken şu değerlerden biri olmalı: {allowed}',
  },
  MAP_ADDRESS_BEYOND: {
    en: 'reaches beyond the last register, 65535',
    tr: 'son yazmacı (65535) aşıyor',
  },
  MAP_BIT_TYPE: {
    en: 'must be bool where the function reads or writes single bits',
    tr: 'fonksiyon tek bit okuyor ya da yazıyorsa bool olmalı',
  },
  MAP_BIT_COUNT: { en: 'must be 1 for a single bit', tr: 'tek bit için 1 olmalı' },
  MAP_STRING_COUNT: { en: 'is missing for a string', tr: 'string türünde zorunludur' },
  MAP_COUNT_OF_TYPE: {
    en: 'must be {counts} for {type}',
    tr: '{type} türünde şu değerlerden biri olmalı: {counts}',
  },
  MAP_EITHER: { en: '{first} or {last}', tr: '{first} ya da {last}' },
  MAP_PATH_FORM: {
    en: 'must be a path such as $.ENERGY.Total or $.Power[0]',
    tr: '$.ENERGY.Total ya da $.Power[0] gibi bir yol olmalı',
  },
  MAP_KIND_STATE: { en: 'must be state for {type}', tr: '{type} türünde state olmalı' },
  MAP_KIND_STATE_STRING: { en: 'must be state for a string', tr: 'string türünde state olmalı' },
  MAP_KIND_BOOL: { en: 'must be state or gauge for bool', tr: 'bool türünde state ya da gauge olmalı' },
  MAP_KIND_COUNTER: {
    en: 'must be cumulative_counter (or interval_delta) for {metric}',
    tr: '{metric} için cumulative_counter (ya da interval_delta) olmalı',
  },
  MAP_KIND_GAUGE: { en: 'must be gauge for {metric}', tr: '{metric} için gauge olmalı' },
  MAP_COUNTER_ONLY: {
    en: 'and reset_policy belong to a cumulative_counter',
    tr: 've reset_policy yalnızca cumulative_counter için geçerlidir',
  },
  MAP_COUNTER_MAX_MISSING: {
    en: 'is missing: where does a counter that wraps begin again?',
    tr: 'eksik: başa dönen bir sayacın hangi değerde başa döndüğü belirtilmeli',
  },
  MAP_NOT_POSITIVE: { en: 'must be > 0', tr: "0'dan büyük olmalı" },
  MAP_COUNTER_NARROW: {
    en: 'must be wrap, with counter_max: a counter in {type} soon begins again',
    tr: 'wrap olmalı ve counter_max verilmeli: {type} türünde bir sayaç kısa sürede başa döner',
  },
  MAP_SCALE_NEGATIVE: { en: 'must be positive for a counter', tr: 'sayaç için pozitif olmalı' },
  MAP_SCALE_ZERO: { en: 'must not be 0', tr: '0 olmamalı' },
  MAP_SCALE_DIGITS: { en: 'must not have more than 15 digits', tr: 'en çok 15 basamak içerebilir' },
  MAP_STATE_SCALED: {
    en: 'offset, unit and scale_factor_ref have no meaning for a state',
    tr: 'offset, unit ve scale_factor_ref, state için anlamsızdır',
  },
  MAP_UNIT_OF_METRIC: {
    en: '{unit} is no unit of {metric}, which is kept in {expected}',
    tr: '{unit}, {metric} için geçerli bir birim değil; değer {expected} biriminde saklanır',
  },
  MAP_MIN_ABOVE_MAX: { en: 'must be <= max', tr: 'max değerinden büyük olmamalı' },
  MAP_MEANINGLESS: { en: 'has no meaning for {type}', tr: '{type} türünde anlamı yoktur' },
  MAP_BIT_AND_MASK: { en: 'and mask exclude each other', tr: 've mask birlikte kullanılamaz' },
  MAP_BIT_BEYOND: { en: 'must be < {bits}', tr: '{bits} değerinden küçük olmalı' },
  MAP_MASK_WIDE: { en: 'has more than {bits} bits', tr: '{bits} bitten uzun' },
  MAP_LABELS_OF_STATE: { en: 'belongs to a state', tr: 'yalnızca state için geçerlidir' },
  MAP_NAN_TYPE: { en: 'nan belongs to f32 and f64', tr: 'nan yalnızca f32 ve f64 için geçerlidir' },
  MAP_NA_DIGITS: {
    en: '{value} must have {digits} hex digits, like the register',
    tr: '{value}, yazmaç gibi {digits} onaltılık basamak içermeli',
  },
})

/** Problems of the line of a gateway: of its time, and of its settings. */
export const LINE_PROBLEMS = messages({
  LINE_GROUP_TOO_SLOW: {
    en: 'poll group {group} needs {needed_s} s, period {period_s} s',
    tr: '{group} okuma grubu {needed_s:number} saniye gerektiriyor, periyodu {period_s:number} saniye',
  },
  LINE_OVERLOADED: {
    en: 'the poll groups together need {load_pct} % of the time of the line',
    tr: 'okuma grupları birlikte hat süresinin %{load_pct} kadarını gerektiriyor',
  },
  LINE_SETTING_RANGE: {
    en: 'config.{setting} is not a whole number from {min} to {max} and is not used',
    tr: 'config.{setting}, {min} ile {max} arasında bir tam sayı değil ve kullanılmıyor',
  },
  LINE_SETTING_NOT_BOOLEAN: {
    en: 'config.{setting} is not true or false and is not used',
    tr: 'config.{setting}, true ya da false değil ve kullanılmıyor',
  },
})

/** Faults across registers. */
export const MAP_FAULTS = messages({
  MAP_KEY_TWICE: {
    en: '{key} is the key of another register too',
    tr: '{key} başka bir yazmacın da anahtarı',
  },
  MAP_METRIC_TWICE: {
    en: '{metric} is given by another register too',
    tr: '{metric} değerini başka bir yazmaç da veriyor',
  },
  MAP_REGISTER_UNKNOWN: { en: '{ref} is no register of this map', tr: '{ref} bu haritada bir yazmaç değil' },
  MAP_FACTOR_UNREADABLE: { en: '{ref} cannot be read', tr: '{ref} okunamaz' },
  MAP_FACTOR_TYPE: {
    en: '{ref} must be a plain i16: a power of ten',
    tr: '{ref} ölçeksiz bir i16 (onun kuvveti) olmalı',
  },
  MAP_FACTOR_SCALED: {
    en: '{ref} has a scale factor itself',
    tr: '{ref} yazmacının kendisi de bir ölçek çarpanı kullanıyor',
  },
  MAP_GROUP_UNKNOWN: { en: '{group} is no group of this map', tr: '{group} bu haritada bir grup değil' },
  MAP_COUNT_ABOVE_BLOCK: {
    en: 'is more than max_block, {max_block}',
    tr: 'max_block değerinden ({max_block}) büyük',
  },
  MAP_OVERLAP: { en: 'overlaps with {key} in part', tr: '{key} ile kısmen çakışıyor' },
  MAP_MODBUS_EMPTY: {
    en: 'Modbus needs a register with an address',
    tr: 'Modbus için adresi olan bir yazmaç gerekli',
  },
  MAP_MQTT_EMPTY: {
    en: 'MQTT needs a register with an mqtt_path',
    tr: 'MQTT için mqtt_path değeri olan bir yazmaç gerekli',
  },
  MAP_NOT_MODICON: {
    en: 'is no address of the form 3xxxx or 4xxxx',
    tr: '3xxxx ya da 4xxxx biçiminde bir adres değil',
  },
  MAP_MODICON_FUNCTION: {
    en: 'names function {expected}, but function is {function}',
    tr: 'adres {expected} fonksiyonunu gösteriyor, ama function {function}',
  },
})
