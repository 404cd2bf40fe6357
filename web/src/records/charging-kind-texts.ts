import { messages } from '../../../src/kernel/messages.ts'

export const CHARGING_KIND_TEXTS = messages({
  CHARGING_KIND_GROUPS: { en: 'Charging groups', tr: 'Şarj grupları' },
  CHARGING_KIND_NEW_GROUP: { en: 'New charging group', tr: 'Yeni şarj grubu' },
  CHARGING_KIND_GROUP_NOTE: {
    en: 'The chargers of a group share a power limit.',
    tr: 'Bir gruptaki istasyonlar ortak bir güç sınırını paylaşır.',
  },
  CHARGING_KIND_RESERVATIONS: { en: 'Reservations', tr: 'Rezervasyonlar' },
  CHARGING_KIND_NEW_RESERVATION: { en: 'New reservation', tr: 'Yeni rezervasyon' },
  CHARGING_KIND_RESERVATION_NOTE: {
    en: 'Keeps a connector for an id tag until the end of the validity. Connector 0 is any connector.',
    tr: 'Bir konnektörü süre sonuna dek bir etikete ayırır. Konnektör 0, herhangi bir konnektördür.',
  },
  CHARGING_KIND_CANCEL: { en: 'Cancel the reservation', tr: 'Rezervasyonu iptal et' },
  CHARGING_KIND_CANCEL_NOTE: {
    en: 'A reservation that the station has stays active until the station has responded.',
    tr: 'İstasyona gönderilmiş rezervasyon, istasyon yanıtlayana dek etkin kalır.',
  },
  CHARGING_KIND_TAGS: { en: 'Id tags', tr: 'Kimlik etiketleri' },
  CHARGING_KIND_NEW_TAG: { en: 'New id tag', tr: 'Yeni kimlik etiketi' },
  CHARGING_KIND_PROFILES: { en: 'Charging profiles', tr: 'Şarj profilleri' },
  CHARGING_KIND_NEW_PROFILE: { en: 'Send a profile', tr: 'Profil gönder' },
  CHARGING_KIND_CLEAR: { en: 'Clear', tr: 'Kaldır' },
  CHARGING_KIND_CLEAR_NOTE: {
    en: 'The profile stays in effect until the station has responded.',
    tr: 'Profil, istasyon yanıtlayana dek geçerli kalır.',
  },
  CHARGING_KIND_CLEAR_ALL: { en: 'Clear profiles', tr: 'Profilleri kaldır' },
  CHARGING_KIND_CLEAR_ALL_NOTE: {
    en: 'Clears every profile that matches, whoever sent it. Without values all of them.',
    tr: 'Kim göndermiş olursa olsun uyan tüm profilleri kaldırır. Değer girilmezse hepsini.',
  },
  CHARGING_KIND_SCHEDULE: { en: 'Query the schedule', tr: 'Çizelgeyi sorgula' },
  CHARGING_KIND_QUERY_NOTE: {
    en: 'Asks the station. Its response is also in the list of commands.',
    tr: 'İstasyona sorar. Yanıtı komut listesinde de görünür.',
  },
  CHARGING_KIND_CERTIFICATES: { en: 'Certificates', tr: 'Sertifikalar' },
  CHARGING_KIND_INSTALL: { en: 'Install a root certificate', tr: 'Kök sertifika yükle' },
  CHARGING_KIND_INSTALL_NOTE: {
    en: 'Sends the certificate to the station. Its response is also in the list of commands.',
    tr: 'Sertifikayı istasyona gönderir. Yanıtı komut listesinde de görünür.',
  },
  CHARGING_KIND_INSTALLED: { en: 'Query the installed ones', tr: 'Yüklü olanları sorgula' },
  CHARGING_KIND_DELETE_CERTIFICATE: { en: 'Delete an installed one', tr: 'Yüklü birini sil' },
  CHARGING_KIND_DELETE_CERTIFICATE_NOTE: {
    en: 'The values of the certificate are in the response to the query of the installed ones.',
    tr: 'Sertifikanın değerleri, yüklü olanların sorgusuna gelen yanıttadır.',
  },
  CHARGING_KIND_FILES: { en: 'Diagnostics', tr: 'Tanılama dosyaları' },
  CHARGING_KIND_REQUEST_FILE: { en: 'Request a file', tr: 'Dosya iste' },
  CHARGING_KIND_FILE_NOTE: {
    en: 'The station uploads its diagnostics or its security log. Without a location it uploads to this service.',
    tr: 'İstasyon tanılama ya da güvenlik günlüğünü yükler. Konum girilmezse bu hizmete yükler.',
  },
  CHARGING_KIND_DOWNLOAD: { en: 'Download', tr: 'İndir' },
  CHARGING_KIND_LOCAL_LIST: { en: 'Local list', tr: 'Yerel liste' },
  CHARGING_KIND_LOCAL_LIST_NOTE: {
    en: 'The id tags that the station accepts without a connection. Without a choice all tags of the tenant. The next synchronization sends them.',
    tr: 'İstasyonun bağlantı olmadan kabul ettiği etiketler. Seçim yapılmazsa kuruluşun tüm etiketleri. Sonraki eşitleme gönderir.',
  },
  CHARGING_KIND_SYNC: { en: 'Synchronize', tr: 'Eşitle' },
  CHARGING_KIND_SYNC_NOTE: {
    en: 'Sends the chosen tags to the station.',
    tr: 'Seçilen etiketleri istasyona gönderir.',
  },
  CHARGING_KIND_VERSION: { en: 'Query the version', tr: 'Sürümü sorgula' },
  CHARGING_KIND_END: { en: 'Close the session', tr: 'Oturumu kapat' },
  CHARGING_KIND_END_NOTE: {
    en: 'For a session whose end was lost: it ends at its last reading. The station is not contacted.',
    tr: 'Sonu kaybolan oturum içindir: son okumasında biter. İstasyona bir şey gönderilmez.',
  },
})
