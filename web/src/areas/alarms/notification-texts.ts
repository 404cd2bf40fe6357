import { messages } from '../../../../src/kernel/messages.ts'

export const NOTIFICATION_TEXTS = messages({
  NOTIFICATIONS: { en: 'Notifications', tr: 'Bildirimler' },
  NOTIFICATIONS_INBOX: { en: 'Messages', tr: 'İletiler' },
  NOTIFICATIONS_NONE: { en: 'No notification', tr: 'Bildirim yok' },
  NOTIFICATIONS_TIME: { en: 'Time', tr: 'Zaman' },
  NOTIFICATIONS_SEVERITY: { en: 'Severity', tr: 'Önem' },
  NOTIFICATIONS_TITLE: { en: 'Notification', tr: 'Bildirim' },
  NOTIFICATIONS_NEW: { en: 'new', tr: 'yeni' },
  NOTIFICATIONS_READ: { en: 'Mark as read', tr: 'Okundu say' },
  NOTIFICATIONS_READ_ONE: { en: 'Mark as read: {title}', tr: 'Okundu say: {title}' },
  NOTIFICATIONS_READ_ALL: { en: 'Mark all as read', tr: 'Tümünü okundu say' },
  NOTIFICATIONS_MAILS: { en: 'My e-mails', tr: 'E-postalarım' },
  NOTIFICATIONS_MAILS_NOTE: {
    en: 'In the quiet hours e-mails that are not critical wait. Times as HH:MM.',
    tr: 'Sessiz saatlerde kritik olmayan e-postalar bekler. Saatler SS:DD biçiminde.',
  },
})
