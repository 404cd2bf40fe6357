import { type Message, messages } from '../../../src/kernel/messages.ts'
import { VALUE_NAMES } from '../../../src/kernel/value-names.ts'
import { permissionText } from './permission-texts.ts'

/** The values of enumerations. The codes end in the values of the API. */
const VALUE_TEXTS: Texts = messages(
  Object.fromEntries(Object.entries(VALUE_NAMES).map(([name, texts]) => [`VALUE_${name}`, texts])),
)

const FORM_VALUE_TEXTS = messages({
  VALUE_tr: { en: 'Turkish', tr: 'Türkçe' },
  VALUE_en: { en: 'English', tr: 'İngilizce' },
  VALUE_telegram: { en: 'Telegram', tr: 'Telegram' },
  VALUE_teams: { en: 'Microsoft Teams', tr: 'Microsoft Teams' },
  VALUE_slack: { en: 'Slack', tr: 'Slack' },
  VALUE_ntfy: { en: 'ntfy', tr: 'ntfy' },
  VALUE_threshold: { en: 'threshold', tr: 'eşik' },
  VALUE_W: { en: 'watts', tr: 'watt' },
  VALUE_A: { en: 'amperes', tr: 'amper' },
  VALUE_SHA256: { en: 'SHA-256', tr: 'SHA-256' },
  VALUE_SHA384: { en: 'SHA-384', tr: 'SHA-384' },
  VALUE_SHA512: { en: 'SHA-512', tr: 'SHA-512' },
  VALUE_absolute: { en: 'by the clock', tr: 'saate göre' },
  VALUE_recurring: { en: 'recurring', tr: 'yinelenen' },
  VALUE_relative: { en: 'from the start of charging', tr: 'şarj başlangıcından' },
  VALUE_daily: { en: 'every day', tr: 'her gün' },
  VALUE_weekly: { en: 'every week', tr: 'her hafta' },
  VALUE_charge_point_max: { en: 'whole station', tr: 'tüm istasyon' },
  VALUE_tx_default: { en: 'every session', tr: 'her oturum' },
  VALUE_tx: { en: 'one session', tr: 'tek oturum' },
  VALUE_central_system_root: { en: 'of this service', tr: 'bu hizmetin' },
  VALUE_manufacturer_root: { en: 'of the manufacturer', tr: 'üreticinin' },
  VALUE_diagnostics: { en: 'diagnostics', tr: 'tanılama' },
  VALUE_security: { en: 'security log', tr: 'güvenlik günlüğü' },
  VALUE_full: { en: 'whole list', tr: 'tüm liste' },
  VALUE_differential: { en: 'changes', tr: 'değişiklikler' },
  VALUE_equal: { en: 'equal shares', tr: 'eşit paylar' },
  VALUE_by_need: { en: 'by need', tr: 'ihtiyaca göre' },
  VALUE_device: { en: 'device', tr: 'cihaz' },
  VALUE_gateway: { en: 'gateway', tr: 'ağ geçidi' },
  VALUE_accepted: { en: 'accepted', tr: 'kabul edildi' },
  VALUE_active: { en: 'active', tr: 'etkin' },
  VALUE_cancelled: { en: 'cancelled', tr: 'iptal edildi' },
  VALUE_cleared: { en: 'cleared', tr: 'kaldırıldı' },
  VALUE_ended: { en: 'ended', tr: 'bitti' },
  VALUE_expired: { en: 'expired', tr: 'süresi doldu' },
  VALUE_failed: { en: 'failed', tr: 'başarısız' },
  VALUE_never_sent: { en: 'never sent', tr: 'hiç gönderilmedi' },
  VALUE_not_supported: { en: 'not supported', tr: 'desteklenmiyor' },
  VALUE_over: { en: 'over', tr: 'süresi geçti' },
  VALUE_pending: { en: 'pending', tr: 'bekliyor' },
  VALUE_received: { en: 'received', tr: 'alındı' },
  VALUE_rejected: { en: 'rejected', tr: 'reddedildi' },
  VALUE_replaced: { en: 'replaced', tr: 'yerine yenisi geldi' },
  VALUE_sent: { en: 'sent', tr: 'gönderildi' },
  VALUE_synced: { en: 'synchronized', tr: 'eşit' },
  VALUE_syncing: { en: 'synchronizing', tr: 'eşitleniyor' },
  VALUE_timed_out: { en: 'no response', tr: 'yanıt gelmedi' },
  VALUE_used: { en: 'used', tr: 'kullanıldı' },
  VALUE_waiting: { en: 'waiting', tr: 'bekliyor' },
  VALUE_not_started: { en: 'not started', tr: 'başlamadı' },
  VALUE_spec_downloaded: { en: 'specification downloaded', tr: 'belge indirildi' },
  VALUE_spec_sent: { en: 'specification sent', tr: 'belge gönderildi' },
  VALUE_ip_whitelisted: { en: 'address admitted', tr: 'adrese izin verildi' },
  VALUE_portal_account_created: { en: 'account created', tr: 'hesap açıldı' },
  VALUE_application_created: { en: 'application created', tr: 'uygulama oluşturuldu' },
  VALUE_subscribed: { en: 'subscribed', tr: 'abone olundu' },
  VALUE_approved: { en: 'approved', tr: 'onaylandı' },
  VALUE_archived: { en: 'archived', tr: 'arşivlendi' },
  VALUE_mahsuplasma_related_tariff: { en: 'tariff for netting', tr: 'mahsuplaşma tarifesi' },
  VALUE_mahsuplasma_lowest_related_tariff: {
    en: 'lowest tariff for netting',
    tr: 'en düşük mahsuplaşma tarifesi',
  },
  VALUE_sktt_active_energy: { en: 'SKTT active energy', tr: 'SKTT aktif enerji' },
  VALUE_customer_bill_active_energy: { en: 'active energy of the invoice', tr: 'fatura aktif enerjisi' },
  VALUE_system_usage: { en: 'use of the system', tr: 'sistem kullanımı' },
  VALUE_distribution: { en: 'distribution network', tr: 'dağıtım' },
  VALUE_tek: { en: 'single', tr: 'tek zamanlı' },
  VALUE_gunduz: { en: 'day', tr: 'gündüz' },
  VALUE_puant: { en: 'peak', tr: 'puant' },
  VALUE_gece: { en: 'night', tr: 'gece' },
  VALUE_raw: { en: 'every sample', tr: 'her ölçüm' },
  VALUE_hourly: { en: 'every hour', tr: 'her saat' },
  VALUE_monthly: { en: 'every month', tr: 'her ay' },
  VALUE_csv: { en: 'CSV', tr: 'CSV' },
  VALUE_xlsx: { en: 'Excel (XLSX)', tr: 'Excel (XLSX)' },
  VALUE_pdf: { en: 'PDF', tr: 'PDF' },
  VALUE_queued: { en: 'waiting', tr: 'bekliyor' },
  VALUE_running: { en: 'running', tr: 'sürüyor' },
  VALUE_completed: { en: 'completed', tr: 'tamamlandı' },
  VALUE_big: { en: 'high first', tr: 'büyük başta' },
  VALUE_little: { en: 'low first', tr: 'küçük başta' },
})

type Texts = Readonly<Record<string, (() => Message) | undefined>>

const ALL_TEXTS: Texts = { ...FORM_VALUE_TEXTS, ...VALUE_TEXTS }

/** The text of a value; the value itself when it is none of an enumeration. */
export function valueText(value: string, t: (message: Message) => string): string {
  const text = ALL_TEXTS[`VALUE_${value}`]?.() ?? permissionText(value)
  return text ? t(text) : value
}
