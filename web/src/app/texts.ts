import { messages } from '../../../src/kernel/messages.ts'

export const APP_TEXTS = messages({
  APP_SKIP: { en: 'Skip to content', tr: 'İçeriğe geç' },
  APP_NAVIGATION: { en: 'Main navigation', tr: 'Ana menü' },
  APP_MENU: { en: 'Menu', tr: 'Menü' },
  APP_OVERVIEW: { en: 'Overview', tr: 'Genel bakış' },
  APP_DASHBOARDS: { en: 'Dashboards', tr: 'Panolar' },
  APP_NETTING: { en: 'Netting', tr: 'Mahsuplaşma' },
  APP_DEVICES: { en: 'Devices', tr: 'Cihazlar' },
  APP_GATEWAYS: { en: 'Gateways', tr: 'Ağ geçitleri' },
  APP_CHARGING: { en: 'Charging', tr: 'Şarj' },
  APP_ALARMS: { en: 'Alarms', tr: 'Alarmlar' },
  APP_UPDATES: { en: 'Updates', tr: 'Güncellemeler' },
  APP_SAFETY: { en: 'Lockout/tagout', tr: 'Kilitleme' },
  APP_TARIFFS: { en: 'Tariffs', tr: 'Tarifeler' },
  APP_READINGS: { en: 'Official readings', tr: 'Resmî okumalar' },
  APP_REGISTRY: { en: 'Registry', tr: 'Kayıtlar' },
  APP_ADMINISTRATION: { en: 'Administration', tr: 'Yönetim' },
  APP_SETUP: { en: 'Setup', tr: 'Kurulum' },
  APP_ACCOUNT: { en: 'Account', tr: 'Hesap' },
  APP_API: { en: 'API documentation', tr: 'API belgeleri' },
  APP_SIGN_OUT: { en: 'Sign out', tr: 'Oturumu kapat' },
})
