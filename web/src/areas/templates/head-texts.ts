import { messages } from '../../../../src/kernel/messages.ts'

/** The fields of the head of a register map. The codes end in the names of the API. */
export const HEAD_TEXTS = messages({
  REGISTER_head_vendor: { en: 'Maker', tr: 'Üretici' },
  REGISTER_head_model: { en: 'Device model', tr: 'Model' },
  REGISTER_head_version: { en: 'Version', tr: 'Sürüm' },
  REGISTER_head_notes: { en: 'Notes', tr: 'Notlar' },
  REGISTER_head_transports: { en: 'Transports', tr: 'Taşıma' },
  REGISTER_head_source: { en: 'Source', tr: 'Kaynak' },
  REGISTER_head_title: { en: 'Title', tr: 'Başlık' },
  REGISTER_head_url: { en: 'Address', tr: 'Bağlantı' },
  REGISTER_head_checked_against: { en: 'Checked against', tr: 'Karşılaştırılan belge' },
  REGISTER_head_defaults: { en: 'Defaults', tr: 'Varsayılanlar' },
  REGISTER_head_unit_id: { en: 'Unit id', tr: 'Birim numarası' },
  REGISTER_head_word_order: { en: 'Word order', tr: 'Sözcük sırası' },
  REGISTER_head_byte_order: { en: 'Byte order', tr: 'Bayt sırası' },
  REGISTER_head_max_block: { en: 'Registers in a request', tr: 'İstek başına yazmaç' },
  REGISTER_head_max_gap: { en: 'Unused registers in a request', tr: 'İstekteki boş yazmaç' },
  REGISTER_head_timeout_ms: { en: 'Timeout, ms', tr: 'Zaman aşımı, ms' },
  REGISTER_head_retries: { en: 'Retries', tr: 'Yineleme' },
  REGISTER_head_inter_request_ms: { en: 'Between requests, ms', tr: 'İstekler arası, ms' },
  REGISTER_head_connect_delay_ms: { en: 'After connecting, ms', tr: 'Bağlantı sonrası, ms' },
  REGISTER_head_keep_connection: { en: 'Keep the connection', tr: 'Bağlantıyı açık tut' },
  REGISTER_head_baud_rate: { en: 'Baud rate', tr: 'Baud hızı' },
  REGISTER_head_poll_groups: { en: 'Poll groups', tr: 'Sorgu grupları' },
})
