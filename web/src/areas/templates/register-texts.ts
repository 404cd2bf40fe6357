import { type Message, messages } from '../../../../src/kernel/messages.ts'
import { HEAD_TEXTS } from './head-texts.ts'

/** The attributes of registers and frames. The codes end in the names of the API. */
const REGISTER_TEXTS = messages({
  REGISTER_key: { en: 'Key', tr: 'Anahtar' },
  REGISTER_label: { en: 'Label', tr: 'Etiket' },
  REGISTER_metric: { en: 'Metric', tr: 'Ölçü' },
  REGISTER_phase: { en: 'Phase', tr: 'Faz' },
  REGISTER_direction: { en: 'Direction', tr: 'Yön' },
  REGISTER_quadrant: { en: 'Quadrant', tr: 'Bölge (kuadran)' },
  REGISTER_address: { en: 'Address', tr: 'Adres' },
  REGISTER_function: { en: 'Function', tr: 'Fonksiyon' },
  REGISTER_type: { en: 'Type', tr: 'Tür' },
  REGISTER_count: { en: 'Registers', tr: 'Yazmaç sayısı' },
  REGISTER_byte_order: { en: 'Byte order', tr: 'Bayt sırası' },
  REGISTER_word_order: { en: 'Word order', tr: 'Sözcük sırası' },
  REGISTER_scale: { en: 'Scale', tr: 'Çarpan' },
  REGISTER_offset: { en: 'Offset', tr: 'Kaydırma' },
  REGISTER_scale_factor_ref: { en: 'Register with the power of ten', tr: 'On üssü yazmacı' },
  REGISTER_unit: { en: 'Unit', tr: 'Birim' },
  REGISTER_kind: { en: 'Kind', tr: 'Değer türü' },
  REGISTER_counter_max: { en: 'Wraps at', tr: 'Sıfırlanma değeri' },
  REGISTER_reset_policy: { en: 'When it falls', tr: 'Düştüğünde' },
  REGISTER_na_values: { en: 'Values for "none"', tr: '"Yok" değerleri' },
  REGISTER_min: { en: 'Minimum', tr: 'En az' },
  REGISTER_max: { en: 'Maximum', tr: 'En çok' },
  REGISTER_bit: { en: 'Bit', tr: 'Bit' },
  REGISTER_mask: { en: 'Mask', tr: 'Maske' },
  REGISTER_enum: { en: 'Texts', tr: 'Metinler' },
  REGISTER_poll_group: { en: 'Poll group', tr: 'Sorgu grubu' },
  REGISTER_access: { en: 'Access', tr: 'Erişim' },
  REGISTER_deadband: { en: 'Deadband', tr: 'Ölü bant' },
  REGISTER_precision: { en: 'Decimals', tr: 'Ondalık' },
  REGISTER_mqtt_path: { en: 'Path in a message', tr: 'İletideki yol' },
  REGISTER_frame_name: { en: 'Name', tr: 'Ad' },
  REGISTER_frame_frame: { en: 'Frame (hex)', tr: 'Çerçeve (onaltılık)' },
  REGISTER_frame_registers: {
    en: 'Registers in it, such as 3:72+2',
    tr: 'İçindeki yazmaçlar, örneğin 3:72+2',
  },
  REGISTER_frame_topic: { en: 'Topic', tr: 'Konu' },
  REGISTER_frame_message: { en: 'Message', tr: 'İleti' },
  REGISTER_frame_expect: { en: 'Expected values by key', tr: 'Anahtara göre beklenen değerler' },
})

type Texts = Readonly<Record<string, (() => Message) | undefined>>

const ALL_TEXTS: Texts = { ...REGISTER_TEXTS, ...HEAD_TEXTS }

/** The name of an attribute, with the prefix `frame_` for those of frames and `head_` for those of the head. */
export function registerText(name: string, t: (message: Message) => string): string {
  const text = ALL_TEXTS[`REGISTER_${name}`]
  return text ? t(text()) : name
}
