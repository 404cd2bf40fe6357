import { messages } from '../../../../kernel/messages.ts'

/** Why a device is not read over Modbus. */
export const NOT_READ = messages({
  DEVICE_WITHOUT_TEMPLATE: { en: 'the device has no template', tr: 'cihazın şablonu yok' },
  TEMPLATE_MAP_NOT_USABLE: {
    en: 'its template has no register map that can be used',
    tr: 'şablonunda kullanılabilir bir yazmaç haritası yok',
  },
  TEMPLATE_NOT_MODBUS: {
    en: 'its template cannot be read over Modbus',
    tr: 'şablonu Modbus üzerinden okunamaz',
  },
  TEMPLATE_NOTHING_READ: {
    en: 'its register map has nothing to read over Modbus',
    tr: 'yazmaç haritasında Modbus üzerinden okunacak bir şey yok',
  },
})
