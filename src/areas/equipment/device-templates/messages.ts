import { messages } from '../../../kernel/messages.ts'

export const TEMPLATE_TEXTS = messages({
  REGISTER_MAP_NOT_VALID: { en: 'the register map is not valid', tr: 'yazmaç haritası geçerli değil' },
  TRANSPORT_NOT_IN_MAP: {
    en: '{protocol} is no transport of the register map',
    tr: '{protocol}, yazmaç haritasının aktarım yollarından biri değil',
  },
  REGISTER_MAP_WITHOUT_TABLE: {
    en: 'the register map names no format that has a table; download it as JSON',
    tr: 'yazmaç haritasının biçiminin tablosu yok; JSON olarak indirin',
  },
  REGISTER_MAP_CHANGED: {
    en: 'the register map has changed since it was read; read it again',
    tr: 'yazmaç haritası okunduktan sonra değişti; yeniden okuyun',
  },
  REGISTER_MAP_EMPTY: {
    en: 'nothing in the document can be read as a value',
    tr: 'belgede değer olarak okunabilecek bir şey yok',
  },
  TEMPLATE_IS_SYSTEM: {
    en: 'a system template cannot be changed or deleted',
    tr: 'sistem şablonu değiştirilemez ve silinemez',
  },
  TEMPLATE_NAME_EXISTS: { en: 'a template with this name exists', tr: 'bu adla bir şablon var' },
})

/** Remarks on a valid register map that was uploaded. */
export const TEMPLATE_NOTES = messages({
  TEMPLATE_DEVICES_OVER_MODBUS: {
    en: "{count} of the template's devices stand behind Modbus gateways, which it no longer serves",
    tr: 'şablonun {count} cihazı Modbus ağ geçitlerinin arkasında; şablon bunları artık desteklemiyor',
  },
  TEMPLATE_DEVICES_OVER_BROKER: {
    en: "{count} of the template's devices stand behind gateways on a message broker, which it no longer serves",
    tr: 'şablonun {count} cihazı ileti aracısındaki ağ geçitlerinin arkasında; şablon bunları artık desteklemiyor',
  },
})
