import { messages } from '../../../kernel/messages.ts'

/** The errors and alarms of the market platform. The detail of an alarm is a technical text in English. */
export const MARKET_TEXTS = messages({
  MARKET_NOT_WHITELISTED: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: servisin adresi platformda tanımlı değil ({detail})',
  },
  MARKET_AUTH_FAILED: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: oturum açılamadı ({detail})',
  },
  MARKET_SUBSCRIPTION_MISSING: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: abonelik yok ya da anahtarı yanlış ({detail})',
  },
  MARKET_FETCH_FAILED: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: fiyatlar alınamadı ({detail})',
  },
  WHITELIST_TRANSITION: {
    en: 'an account cannot go from {from} to {to}; from there it may go to {allowed}',
    tr: 'hesabın durumu değiştirilemez: {from} → {to}; izin verilen: {allowed}',
  },
  END_PRICES_FETCHED: { en: 'prices were fetched', tr: 'fiyatlar alındı' },
  END_ACCOUNT_ACCEPTED: { en: 'the platform accepts the account', tr: 'platform hesabı kabul ediyor' },
  END_PLATFORM_REACHED: { en: 'the platform was reached', tr: 'platforma ulaşıldı' },
  END_PRICES_NOT_PULLED: { en: 'prices are not pulled: {reason}', tr: 'fiyatlar çekilmiyor ({reason})' },
})
