import { FIELD_NAMES } from '../../../src/kernel/field-names.ts'
import { type Message, messages } from '../../../src/kernel/messages.ts'
import { ADMIN_FIELD_TEXTS } from './admin-field-texts.ts'
import { CHARGING_FIELD_TEXTS } from './charging-field-texts.ts'

/** The names of the fields of the API. The codes end in the names of the API. */
const FIELD_TEXTS: Texts = messages(
  Object.fromEntries(Object.entries(FIELD_NAMES).map(([name, texts]) => [`FIELD_${name}`, texts])),
)

const NOTIFY_FIELD_TEXTS = messages({
  FIELD_policy_id: { en: 'Alarm policy', tr: 'Alarm kuralı' },
  FIELD_channel_id: { en: 'Channel', tr: 'Kanal' },
  FIELD_user_id: { en: 'User', tr: 'Kullanıcı' },
  FIELD_role_id: { en: 'Role', tr: 'Rol' },
  FIELD_email: { en: 'E-mail address', tr: 'E-posta adresi' },
  FIELD_bot_token: { en: 'Token of the bot', tr: 'Bot belirteci' },
  FIELD_chat_id: { en: 'Chat id', tr: 'Sohbet kimliği' },
  FIELD_server_url: { en: 'Address of the server', tr: 'Sunucu adresi' },
  FIELD_topic: { en: 'Topic', tr: 'Konu' },
  FIELD_token: { en: 'Access token', tr: 'Erişim belirteci' },
  FIELD_type: { en: 'Type', tr: 'Tür' },
  FIELD_url: { en: 'Address', tr: 'Adres' },
  FIELD_secret: { en: 'Secret', tr: 'İmza anahtarı' },
  FIELD_language: { en: 'Language', tr: 'Dil' },
  FIELD_min_severity: { en: 'From severity', tr: 'En düşük önem' },
  FIELD_default_severities: { en: 'Default for severities', tr: 'Varsayılan olduğu önemler' },
  FIELD_levels: { en: 'Levels', tr: 'Düzeyler' },
  FIELD_delay_minutes: { en: 'After, minutes', tr: 'Gecikme, dk' },
  FIELD_recipients: { en: 'Recipients', tr: 'Alıcılar' },
  FIELD_repeat_minutes: { en: 'Repeat the last level every, minutes', tr: 'Son düzeyi yineleme aralığı, dk' },
  FIELD_repeat_count: { en: 'Repetitions', tr: 'Yineleme sayısı' },
  FIELD_disabled_at: { en: 'Disabled after failures', tr: 'Hatalar yüzünden kapatıldı' },
  FIELD_last_success_at: { en: 'Last success', tr: 'Son başarılı gönderi' },
  FIELD_last_error: { en: 'Last failure', tr: 'Son hata' },
  FIELD_email_enabled: { en: 'Send me e-mails', tr: 'Bana e-posta gönder' },
  FIELD_email_min_severity: { en: 'From severity', tr: 'En düşük önem' },
  FIELD_quiet_from: { en: 'Quiet hours from', tr: 'Sessiz saatler başlangıcı' },
  FIELD_quiet_to: { en: 'Quiet hours until', tr: 'Sessiz saatler bitişi' },
  FIELD_windows: { en: 'Times', tr: 'Zaman aralıkları' },
  FIELD_days: { en: 'Days', tr: 'Günler' },
  FIELD_from: { en: 'From', tr: 'Başlangıç zamanı' },
  FIELD_to: { en: 'Until', tr: 'Bitiş zamanı' },
  FIELD_message: { en: 'Result', tr: 'Sonuç' },
  FIELD_created_at: { en: 'Created', tr: 'Oluşturulma' },
})

const EXPORT_FIELD_TEXTS = messages({
  FIELD_start: { en: 'From', tr: 'Başlangıç zamanı' },
  FIELD_end: { en: 'Until', tr: 'Bitiş zamanı' },
  FIELD_interval: { en: 'Rows', tr: 'Satırlar' },
  FIELD_format: { en: 'Format', tr: 'Biçim' },
  FIELD_progress_pct: { en: 'Progress, %', tr: 'İlerleme, %' },
  FIELD_rows_done: { en: 'Written rows', tr: 'Yazılan satır' },
})

type Texts = Readonly<Record<string, (() => Message) | undefined>>

const ALL_TEXTS: Texts = {
  ...EXPORT_FIELD_TEXTS,
  ...NOTIFY_FIELD_TEXTS,
  ...CHARGING_FIELD_TEXTS,
  ...ADMIN_FIELD_TEXTS,
  ...FIELD_TEXTS,
}

/** The name of a field; that of the API when a newer service has it. */
export function fieldText(name: string, t: (message: Message) => string): string {
  const text = ALL_TEXTS[`FIELD_${name}`]
  return text ? t(text()) : name
}
