import { messages } from '../../../kernel/messages.ts'

export const COLLECTOR_TEXTS = messages({
  COLLECTOR_PARTIAL_WRITE: {
    en: 'partial write: {dropped} of {count} {count?value:values} dropped: {faults}',
    tr: 'kısmi yazma: {count} değerden {dropped} tanesi kaydedilmedi: {faults}',
  },
  COLLECTOR_LINE_FAULT: { en: 'line {line}: {fault}', tr: 'satır {line}: {fault}' },
  COLLECTOR_SERIES_FAULT: { en: '{series}: {fault}', tr: '{series}: {fault}' },
  COLLECTOR_MORE_FAULTS: { en: 'and {count} more', tr: 've {count} tane daha' },
  COLLECTOR_DEVICE_MISSING: {
    en: 'none of the labels {labels} names a device',
    tr: '{labels} etiketlerinden hiçbiri bir cihaz adı içermiyor',
  },
  COLLECTOR_DEVICE_UNKNOWN: {
    en: 'there is no device with the name, external id or id "{device}"',
    tr: 'adı, dış kimliği veya kimliği "{device}" olan bir cihaz yok',
  },
  COLLECTOR_DEVICE_AMBIGUOUS: {
    en: 'several devices have the name or external id "{device}"',
    tr: 'adı veya dış kimliği "{device}" olan birden çok cihaz var',
  },
  COLLECTOR_METRIC_UNKNOWN: {
    en: 'the field "{field}" of "{measurement}" is not a metric, and the mapping has no rule for it',
    tr: '"{measurement}" ölçümünün "{field}" alanı bir metrik değil ve eşlemede onun için kural yok',
  },
  COLLECTOR_NOT_A_NUMBER: {
    en: 'the value of "{field}" is not a finite number',
    tr: '"{field}" alanının değeri sonlu bir sayı değil',
  },
  COLLECTOR_VALUE_RANGE: {
    en: 'the value of "{field}" is beyond what can be stored',
    tr: '"{field}" alanının değeri saklanabilecek aralığın dışında',
  },
  COLLECTOR_VALUES_EXCEEDED: {
    en: 'more than {max} values of a device at one instant',
    tr: 'bir cihaz için aynı ana ait {max} değerden fazlası',
  },
  COLLECTOR_HISTOGRAM: {
    en: 'native histograms are not stored',
    tr: 'yerel histogramlar saklanmaz',
  },
  COLLECTOR_SET_ASIDE: {
    en: 'the sample was set aside: {reason}',
    tr: 'ölçüm ayrı tutuldu: {reason}',
  },
  COLLECTOR_POINTS_EXCEEDED: {
    en: 'a request may contain at most {max} lines or samples',
    tr: 'bir istek en çok {max} satır veya ölçüm içerebilir',
  },
  COLLECTOR_BODY_EXCEEDED: {
    en: 'the request is larger than {max} bytes after decompression',
    tr: 'istek açıldıktan sonra {max} bayttan büyük',
  },
  COLLECTOR_ENCODING_UNKNOWN: {
    en: 'the content encoding is not supported; {supported} is',
    tr: 'içerik kodlaması desteklenmiyor; desteklenen: {supported}',
  },
  COLLECTOR_BODY_INVALID: {
    en: 'the body cannot be decompressed or decoded: {detail}',
    tr: 'gövde açılamıyor veya çözülemiyor: {detail}',
  },
  COLLECTOR_REMOTE_WRITE_VERSION: {
    en: 'only remote write 1.0 (prometheus.WriteRequest) is supported',
    tr: 'yalnızca remote write 1.0 (prometheus.WriteRequest) desteklenir',
  },
  LINE_MEASUREMENT_MISSING: { en: 'the measurement is missing', tr: 'ölçüm adı eksik' },
  LINE_FIELDS_MISSING: { en: 'a tag or a field is missing', tr: 'bir etiket veya alan eksik' },
  LINE_VALUE_MISSING: { en: 'the value of "{name}" is missing', tr: '"{name}" değeri eksik' },
  LINE_VALUE_INVALID: {
    en: 'the value of "{name}" is not a number, boolean or quoted text',
    tr: '"{name}" değeri bir sayı, mantıksal değer veya tırnaklı metin değil',
  },
  LINE_TEXT_OPEN: { en: 'a quoted text does not end', tr: 'tırnaklı bir metin kapanmıyor' },
  LINE_PARTS_EXCEEDED: {
    en: 'more than {max} tags or fields',
    tr: '{max} etiket veya alandan fazlası',
  },
  LINE_PART_REPEATED: {
    en: 'the tag or field "{name}" is repeated',
    tr: '"{name}" etiketi veya alanı yineleniyor',
  },
  LINE_TIMESTAMP_INVALID: { en: 'the timestamp is not valid', tr: 'zaman damgası geçerli değil' },
  COLLECTOR_MAPPING_NAME_EXISTS: {
    en: 'a collector mapping with this name exists',
    tr: 'bu adda bir toplayıcı eşlemesi var',
  },
  COLLECTOR_MAPPINGS_EXCEEDED: {
    en: 'a tenant may have at most {max} collector mappings',
    tr: 'bir kiracının en çok {max} toplayıcı eşlemesi olabilir',
  },
})
