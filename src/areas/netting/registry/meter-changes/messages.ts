import { messages } from '../../../../kernel/messages.ts'

/** The errors and warnings of records of meter changes. */
export const METER_CHANGE_TEXTS = messages({
  METER_CHANGE_ONE_METER: {
    en: 'a meter change belongs to either a device (device_id) or an OSOS installation (osos_installation_id)',
    tr: 'sayaç değişimi ya bir cihaza (device_id) ya da bir OSOS tesisatına (osos_installation_id) aittir',
  },
  METER_CHANGE_REGISTER_OF_INSTALLATION: {
    en: 'an OSOS installation has the registers {registers} only',
    tr: 'bir OSOS tesisatında yalnızca şu endeksler vardır: {registers}',
  },
  METER_CHANGE_IN_FUTURE: {
    en: 'changed_at lies in the future: {changed_at:time}',
    tr: 'changed_at gelecekte: {changed_at:time}',
  },
  METER_CHANGE_TOO_EARLY: {
    en: 'changed_at lies before the first billing period: {changed_at:time}',
    tr: 'changed_at ilk fatura döneminden önce: {changed_at:time}',
  },
  METER_CHANGE_VALUE_TOO_LARGE: {
    en: '{field} must be below nine billion kWh',
    tr: '{field} dokuz milyar kWh değerinden küçük olmalıdır',
  },
  METER_CHANGE_END_BELOW_READING: {
    en: 'the old end {old_end_kwh:number} kWh lies below {reading_kwh:number} kWh, the value before it ({reading_at:time})',
    tr: 'eski sayacın son endeksi {old_end_kwh:number} kWh, önceki değerden küçük: {reading_kwh:number} kWh ({reading_at:time})',
  },
  METER_CHANGE_START_ABOVE_READING: {
    en: 'the new start {new_start_kwh:number} kWh lies above {reading_kwh:number} kWh, the value after it ({reading_at:time})',
    tr: 'yeni sayacın ilk endeksi {new_start_kwh:number} kWh, sonraki değerden büyük: {reading_kwh:number} kWh ({reading_at:time})',
  },
  METER_CHANGE_EXISTS: {
    en: 'a change of this register is recorded at the same instant; correct that record',
    tr: 'aynı anda bu endeks için kayıtlı bir sayaç değişimi var; o kaydı düzeltin',
  },
  METER_CHANGE_VOIDED: {
    en: 'the meter change is voided and cannot be changed; record a new one',
    tr: 'sayaç değişimi iptal edilmiş, değiştirilemez; yeni bir kayıt girin',
  },
  METER_CHANGES_TOO_MANY: {
    en: 'the meter has {max} recorded changes, which is the limit',
    tr: 'sayacın {max} kayıtlı değişimi var; sınır budur',
  },
  METER_CHANGE_IMPORT_AGAIN: {
    en: 'stored hours of an OSOS installation do not change; import the file with the register readings again',
    tr: 'OSOS tesisatının kayıtlı saatleri değişmez; endeks okumalarının dosyasını yeniden içe aktarın',
  },
})
