import { messages } from '../../../src/kernel/messages.ts'

export const NOTIFY_TEXTS = messages({
  NOTIFY_CHANNELS: { en: 'Channels', tr: 'Kanallar' },
  NOTIFY_NEW_CHANNEL: { en: 'New channel', tr: 'Yeni kanal' },
  NOTIFY_CHANNEL_NOTE: {
    en: 'Alarms whose policy notifies channels are sent to the group chat of a messaging platform.',
    tr: 'Kuralı kanallara bildirim yapan alarmlar bir mesajlaşma platformunun grubuna gönderilir.',
  },
  NOTIFY_WEBHOOKS: { en: 'Webhooks', tr: "Webhook'lar" },
  NOTIFY_NEW_WEBHOOK: { en: 'New webhook', tr: 'Yeni webhook' },
  NOTIFY_WEBHOOK_NOTE: {
    en: 'Alarms are sent to this address as signed requests. The secret for the signature is shown once.',
    tr: 'Alarmlar bu adrese imzalı istekler olarak gönderilir. İmza anahtarı bir kez gösterilir.',
  },
  NOTIFY_TEST: { en: 'Test', tr: 'Sına' },
  NOTIFY_TEST_NOTE: {
    en: 'Sends a test message now and shows its result.',
    tr: 'Şimdi bir deneme iletisi gönderir ve sonucunu gösterir.',
  },
  NOTIFY_NEW_SECRET: { en: 'New secret', tr: 'Yeni imza anahtarı' },
  NOTIFY_NEW_SECRET_NOTE: {
    en: 'The new secret signs all later deliveries. The old one is no longer used.',
    tr: 'Sonraki tüm gönderiler yeni anahtarla imzalanır. Eski anahtar artık kullanılmaz.',
  },
  NOTIFY_ESCALATIONS: { en: 'Escalation', tr: 'Yükseltme' },
  NOTIFY_NEW_ESCALATION: { en: 'New escalation policy', tr: 'Yeni yükseltme kuralı' },
  NOTIFY_ESCALATION_NOTE: {
    en: 'While nobody acknowledges an incident, one level after the other is notified. Each recipient is a user, a role, a channel or an address.',
    tr: 'Olayı kimse onaylamadıkça düzeyler sırayla bilgilendirilir. Her alıcı bir kullanıcı, rol, kanal ya da adrestir.',
  },
  NOTIFY_MAINTENANCE: { en: 'Maintenance windows', tr: 'Bakım pencereleri' },
  NOTIFY_NEW_MAINTENANCE: { en: 'New maintenance window', tr: 'Yeni bakım penceresi' },
  NOTIFY_MAINTENANCE_NOTE: {
    en: 'In this time no incident opens for the policy, the device or the site. Choose one of the three.',
    tr: 'Bu sürede kural, cihaz ya da saha için olay açılmaz. Üçünden birini seçin.',
  },
  NOTIFY_END_MAINTENANCE: { en: 'End now', tr: 'Şimdi bitir' },
  NOTIFY_END_MAINTENANCE_NOTE: {
    en: 'The window ends now. One that has not begun is deleted.',
    tr: 'Pencere şimdi biter. Başlamamış olan silinir.',
  },
})
