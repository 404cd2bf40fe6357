import type {
  CertificateUse,
  DeleteCertificate,
  GetFile,
  InstallCertificate,
  ListCertificates,
  SignedCertificate,
  UpdateFirmware,
} from '../../../areas/charging/index.ts'
import { says, secondsOnly, told, when } from '../omit-empty.ts'
import type { CommandSpeech, Speech } from '../types.ts'

const getLog = (logType: 'DiagnosticsLog' | 'SecurityLog'): CommandSpeech =>
  says(
    'GetLog',
    (request: GetFile, { commandNumber }) =>
      told({
        logType,
        requestId: commandNumber,
        retries: request.retries,
        retryInterval: request.retry_interval_seconds,
        log: told({
          remoteLocation: request.location,
          oldestTimestamp: secondsOnly(request.from),
          latestTimestamp: secondsOnly(request.to),
        }),
      }),
    // AcceptedCanceled: an upload before this one was given up for it.
    when('Accepted', 'AcceptedCanceled'),
  )

const updateFirmware = says(
  'UpdateFirmware',
  (request: UpdateFirmware, { commandNumber }) => ({
    requestId: commandNumber,
    firmware: told({
      location: request.location,
      retrieveDateTime: secondsOnly(request.retrieve_at),
      signingCertificate: request.signing_certificate,
      signature: request.signature,
    }),
  }),
  when('Accepted', 'AcceptedCanceled'),
)

const USES: Readonly<Record<CertificateUse, string>> = {
  central_system_root: 'CSMSRootCertificate',
  manufacturer_root: 'ManufacturerRootCertificate',
}

/** Files, firmware and certificates. */
export const UPKEEP_SPEECH_201: Speech = {
  get_diagnostics: getLog('DiagnosticsLog'),
  get_security_log: getLog('SecurityLog'),
  update_firmware: updateFirmware,
  update_signed_firmware: updateFirmware,
  sign_certificate_answer: says('CertificateSigned', (request: SignedCertificate) => ({
    certificateChain: request.certificate_chain,
    certificateType: 'ChargingStationCertificate',
  })),
  install_certificate: says('InstallCertificate', (request: InstallCertificate) => ({
    certificateType: USES[request.use],
    certificate: request.certificate_pem,
  })),
  delete_certificate: says('DeleteCertificate', (request: DeleteCertificate) => ({
    certificateHashData: {
      hashAlgorithm: request.hash_algorithm,
      issuerNameHash: request.issuer_name_hash,
      issuerKeyHash: request.issuer_key_hash,
      serialNumber: request.serial,
    },
  })),
  list_certificates: says(
    'GetInstalledCertificateIds',
    (request: ListCertificates) => ({ certificateType: [USES[request.use]] }),
    // NotFound is an answer: there are none.
    () => 'accepted',
  ),
}
