import { type Language, type Message, messages, textOf } from '../../../kernel/messages.ts'
import type { RulePolicyName, SystemPolicyName } from './system-policies.ts'

/** The names of system policies for people; the API names the policies by their keys. */
const TITLES = messages({
  TITLE_LIMIT_LOW: { en: 'Netting limit is running low', tr: 'Mahsup limiti azalıyor' },
  TITLE_LIMIT_EXHAUSTED: { en: 'Netting limit is used up', tr: 'Mahsup limiti tükendi' },
  TITLE_LIMIT_ACCOUNT_MISSING: { en: 'Limit account is missing', tr: 'Limit hesabı yok' },
  TITLE_TARIFF_MISSING: { en: 'Prices are missing', tr: 'Fiyatlar eksik' },
  TITLE_FACTS_MISSING: { en: 'Hourly energies are missing', tr: 'Saatlik enerjiler eksik' },
  TITLE_FACTS_PARTIAL: { en: 'Hourly energies are incomplete', tr: 'Saatlik enerjiler kısmen eksik' },
  TITLE_METER_RESET_SUSPECT: { en: 'A meter register fell', tr: 'Sayaç endeksi geriledi' },
  TITLE_CHANNEL_UNSUPPORTED: {
    en: 'A measurement cannot be used for netting',
    tr: 'Bir ölçüm mahsuplaşmada kullanılamıyor',
  },
  TITLE_HOURLY_BUILD_FAILED: {
    en: 'Hourly energies could not be calculated',
    tr: 'Saatlik enerjiler hesaplanamadı',
  },
  TITLE_CALCULATION_FAILED: { en: 'Netting could not be calculated', tr: 'Mahsuplaşma hesaplanamadı' },
  TITLE_CORRECTION_FAILED: { en: 'A correction has failed', tr: 'Düzeltme başarısız oldu' },
  TITLE_CASCADE_STOPPED: { en: 'A correction has stopped', tr: 'Düzeltme yarıda kaldı' },
  TITLE_MONTHLY_CLOSE_FAILED: { en: 'A month could not be closed', tr: 'Ay kapatılamadı' },
  TITLE_GROUP_BLOCKED: { en: 'A group is blocked', tr: 'Grup engellendi' },
  TITLE_BEDELSIZ_RISK: { en: 'Energy is given away free', tr: 'Bedelsiz enerji riski' },
  TITLE_MEMBER_CHANGE_CORRECTION_FAILED: {
    en: 'The correction after a change of members has failed',
    tr: 'Üye değişikliğinden sonraki düzeltme başarısız oldu',
  },
  TITLE_MARKET_LOGIN_FAILED: {
    en: 'The market platform refuses the login',
    tr: 'Piyasa platformu girişi reddediyor',
  },
  TITLE_MARKET_FETCH_FAILED: { en: 'Market prices could not be read', tr: 'Piyasa fiyatları alınamadı' },
  TITLE_MARKET_NOT_WHITELISTED: {
    en: 'The market platform does not know our address',
    tr: 'Adresimiz piyasa platformunda tanımlı değil',
  },
  TITLE_MARKET_SUBSCRIPTION_MISSING: {
    en: 'The subscription at the market platform is missing',
    tr: 'Piyasa platformu aboneliği yok',
  },
  TITLE_SECURITY_EVENT: {
    en: 'Security event of a charging station',
    tr: 'Şarj istasyonunda güvenlik olayı',
  },
  TITLE_CONNECTION_CONTESTED: {
    en: 'Two stations connect as one',
    tr: 'İki istasyon aynı kimlikle bağlanıyor',
  },
  TITLE_RESULTS_STALE: { en: 'Netting results are out of date', tr: 'Mahsuplaşma sonuçları güncel değil' },
  TITLE_OBJECTION_DUE: { en: 'An objection to an invoice is due', tr: 'Fatura itirazının süresi doluyor' },
  TITLE_QUOTA_USED: { en: 'A quota is nearly used up', tr: 'Bir kota dolmak üzere' },
  TITLE_RULE: { en: 'Eligibility rule {rule}', tr: 'Mahsuplaşma kuralı {rule}' },
})

const TITLE_OF: Readonly<Record<Exclude<SystemPolicyName, RulePolicyName>, Message>> = {
  netting_limit_low: TITLES.TITLE_LIMIT_LOW(),
  netting_limit_exhausted: TITLES.TITLE_LIMIT_EXHAUSTED(),
  netting_limit_account_missing: TITLES.TITLE_LIMIT_ACCOUNT_MISSING(),
  netting_tariff_missing: TITLES.TITLE_TARIFF_MISSING(),
  netting_facts_missing: TITLES.TITLE_FACTS_MISSING(),
  netting_facts_partial: TITLES.TITLE_FACTS_PARTIAL(),
  netting_meter_reset_suspect: TITLES.TITLE_METER_RESET_SUSPECT(),
  netting_interval_channel_unsupported: TITLES.TITLE_CHANNEL_UNSUPPORTED(),
  netting_hourly_build_failed: TITLES.TITLE_HOURLY_BUILD_FAILED(),
  netting_calculation_failed: TITLES.TITLE_CALCULATION_FAILED(),
  netting_correction_failed: TITLES.TITLE_CORRECTION_FAILED(),
  netting_cascade_stopped: TITLES.TITLE_CASCADE_STOPPED(),
  netting_monthly_close_failed: TITLES.TITLE_MONTHLY_CLOSE_FAILED(),
  netting_group_blocked: TITLES.TITLE_GROUP_BLOCKED(),
  netting_bedelsiz_risk: TITLES.TITLE_BEDELSIZ_RISK(),
  netting_member_change_correction_failed: TITLES.TITLE_MEMBER_CHANGE_CORRECTION_FAILED(),
  marketop_api_auth_failed: TITLES.TITLE_MARKET_LOGIN_FAILED(),
  marketop_fetch_failed: TITLES.TITLE_MARKET_FETCH_FAILED(),
  marketop_portal_not_whitelisted: TITLES.TITLE_MARKET_NOT_WHITELISTED(),
  marketop_subscription_missing: TITLES.TITLE_MARKET_SUBSCRIPTION_MISSING(),
  ocpp_security_event: TITLES.TITLE_SECURITY_EVENT(),
  ocpp_connection_contested: TITLES.TITLE_CONNECTION_CONTESTED(),
  netting_results_stale: TITLES.TITLE_RESULTS_STALE(),
  netting_objection_due: TITLES.TITLE_OBJECTION_DUE(),
  tenant_quota_used: TITLES.TITLE_QUOTA_USED(),
}

const titles: ReadonlyMap<string, Message> = new Map(Object.entries(TITLE_OF))
const RULE_NAME = /^netting_rule_(\w+)$/

/** The name of a policy as a mail or a channel shows it; the name that a user has given is unchanged. */
export function titleIn(language: Language, name: string): string {
  const rule = RULE_NAME.exec(name)?.[1]
  const title = rule === undefined ? titles.get(name) : TITLES.TITLE_RULE({ rule })
  return title === undefined ? name : textOf(title, language)
}
