import { type Message, messages } from '../../../../src/kernel/messages.ts'
import { fieldText } from '../../records/field-texts.ts'

/** The names of commands and of their parameters. The codes end in the names of the API. */
const COMMAND_TEXTS = messages({
  COMMAND_remote_start: { en: 'Start charging', tr: 'Şarjı başlat' },
  COMMAND_remote_stop: { en: 'Stop charging', tr: 'Şarjı durdur' },
  COMMAND_reset: { en: 'Restart the station', tr: 'İstasyonu yeniden başlat' },
  COMMAND_unlock: { en: 'Unlock a connector', tr: 'Konnektör kilidini aç' },
  COMMAND_change_availability: { en: 'Change the availability', tr: 'Kullanılabilirliği değiştir' },
  COMMAND_get_configuration: { en: 'Read the configuration', tr: 'Yapılandırmayı oku' },
  COMMAND_set_configuration: { en: 'Change the configuration', tr: 'Yapılandırmayı değiştir' },
  COMMAND_clear_cache: { en: 'Clear the authorization cache', tr: 'Yetki önbelleğini temizle' },
  COMMAND_trigger_message: { en: 'Request a message', tr: 'İleti iste' },
  COMMAND_extended_trigger_message: { en: 'Request a message (security)', tr: 'İleti iste (güvenlik)' },
  COMMAND_data_transfer: { en: 'Send data of the vendor', tr: 'Üreticiye özgü veri gönder' },
  COMMAND_get_base_report: { en: 'Request a base report', tr: 'Temel rapor iste' },
  COMMAND_get_report: { en: 'Request a report', tr: 'Rapor iste' },
  COMMAND_get_transaction_status: { en: 'Query a session', tr: 'Oturumu sorgula' },
  COMMAND_customer_information: { en: 'Customer information', tr: 'Müşteri bilgisi' },
  COMMAND_get_charging_profiles: { en: 'Read charging profiles', tr: 'Şarj profillerini oku' },
  COMMAND_set_network_profile: { en: 'Set a network profile', tr: 'Ağ profili ayarla' },
  COMMAND_FIELD_expires_in_s: { en: 'Waits at most, s', tr: 'En çok bekleme, sn' },
  COMMAND_FIELD_id_tag: { en: 'Id tag', tr: 'Kart' },
  COMMAND_FIELD_connector_id: { en: 'Connector', tr: 'Konnektör' },
  COMMAND_FIELD_evse_connector_id: { en: 'Connector of the EVSE', tr: 'EVSE konnektörü' },
  COMMAND_FIELD_charging_profile: { en: 'Charging profile', tr: 'Şarj profili' },
  COMMAND_FIELD_session_id: { en: 'Session id', tr: 'Oturum kimliği' },
  COMMAND_FIELD_transaction_id: { en: 'Transaction id', tr: 'İşlem numarası' },
  COMMAND_FIELD_type: { en: 'Kind', tr: 'Tür' },
  COMMAND_FIELD_keys: { en: 'Keys', tr: 'Anahtarlar' },
  COMMAND_FIELD_key: { en: 'Key', tr: 'Anahtar' },
  COMMAND_FIELD_value: { en: 'Value', tr: 'Değer' },
  COMMAND_FIELD_message: { en: 'Message', tr: 'İleti' },
  COMMAND_FIELD_vendor_id: { en: 'Vendor', tr: 'Üretici' },
  COMMAND_FIELD_message_id: { en: 'Message id', tr: 'İleti kimliği' },
  COMMAND_FIELD_data: { en: 'Data', tr: 'Veri' },
  COMMAND_FIELD_report: { en: 'Report', tr: 'Rapor' },
  COMMAND_FIELD_criteria: { en: 'Criteria', tr: 'Ölçütler' },
  COMMAND_FIELD_clear: { en: 'Delete the data', tr: 'Verileri sil' },
  COMMAND_FIELD_customer_identifier: { en: 'Customer identifier', tr: 'Müşteri tanımlayıcısı' },
  COMMAND_FIELD_purpose: { en: 'Purpose', tr: 'Amaç' },
  COMMAND_FIELD_stack_level: { en: 'Stack level', tr: 'Yığın düzeyi' },
  COMMAND_FIELD_profile_numbers: { en: 'Profile numbers', tr: 'Profil numaraları' },
  COMMAND_FIELD_slot: { en: 'Slot', tr: 'Yuva' },
  COMMAND_FIELD_url: { en: 'Address', tr: 'Adres' },
  COMMAND_FIELD_security_profile: { en: 'Security profile', tr: 'Güvenlik profili' },
  COMMAND_FIELD_interface: { en: 'Network interface', tr: 'Ağ arayüzü' },
  COMMAND_FIELD_message_timeout_s: { en: 'Message timeout, s', tr: 'İleti zaman aşımı, sn' },
  COMMAND_FIELD_ocpp_version: { en: 'OCPP version', tr: 'OCPP sürümü' },
})

type Texts = Readonly<Record<string, (() => Message) | undefined>>

/** The name of a field of a message of a station, which are written `errorCode`; its own one when it has no text. */
export function messageFieldText(name: string, t: (message: Message) => string): string {
  const field = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const text = (COMMAND_TEXTS as Texts)[`COMMAND_FIELD_${field}`]
  if (text) return t(text())
  const shared = fieldText(field, t)
  return shared === field ? name : shared
}

/** The text of a command or, with the prefix `FIELD_`, of a parameter; its name when a newer service has it. */
export function commandText(name: string, t: (message: Message) => string): string {
  const text = (COMMAND_TEXTS as Texts)[`COMMAND_${name}`]
  return text ? t(text()) : name.replace('FIELD_', '')
}
