import type {
  CertificateUse,
  DeleteCertificate,
  GetFile,
  InstallCertificate,
  ListCertificates,
  SignedCertificate,
  UpdateFirmware,
} from '../../../areas/charging/stations.ts'
import { encoderV201, omitEmpty, secondsOnly } from '../encoding.ts'
import type { CommandEncoder, Encoders } from '../types.ts'

const getLog = (logType: 'DiagnosticsLog' | 'SecurityLog'): CommandEncoder<GetFile> =>
  encoderV201(
    'GetLog',
    (request: GetFile, { commandNumber }) =>
      omitEmpty({
        logType,
        requestId: commandNumber,
        retries: request.retries,
        retryInterval: request.retry_interval_seconds,
        log: omitEmpty({
          remoteLocation: request.location,
          oldestTimestamp: secondsOnly(request.from),
          latestTimestamp: secondsOnly(request.to),
        }),
      }),
    // AcceptedCanceled: the station cancelled an earlier upload for this one.
    ['Accepted', 'AcceptedCanceled'],
  )

const updateFirmware = encoderV201(
  'UpdateFirmware',
  (request: UpdateFirmware, { commandNumber }) => ({
    requestId: commandNumber,
    firmware: omitEmpty({
      location: request.location,
      retrieveDateTime: secondsOnly(request.retrieve_at),
      signingCertificate: request.signing_certificate,
      signature: request.signature,
    }),
  }),
  ['Accepted', 'AcceptedCanceled'],
)

const USES = {
  central_system_root: 'CSMSRootCertificate',
  manufacturer_root: 'ManufacturerRootCertificate',
} as const satisfies Readonly<Record<CertificateUse, string>>

/** Files, firmware and certificates. */
export const MAINTENANCE_ENCODERS_201: Encoders = {
  get_diagnostics: getLog('DiagnosticsLog'),
  get_security_log: getLog('SecurityLog'),
  update_firmware: updateFirmware,
  update_signed_firmware: updateFirmware,
  sign_certificate_answer: encoderV201('CertificateSigned', (request: SignedCertificate) => ({
    certificateChain: request.certificate_chain,
    certificateType: 'ChargingStationCertificate',
  })),
  install_certificate: encoderV201('InstallCertificate', (request: InstallCertificate) => ({
    certificateType: USES[request.use],
    certificate: request.certificate_pem,
  })),
  delete_certificate: encoderV201('DeleteCertificate', (request: DeleteCertificate) => ({
    certificateHashData: {
      hashAlgorithm: request.hash_algorithm,
      issuerNameHash: request.issuer_name_hash,
      issuerKeyHash: request.issuer_key_hash,
      serialNumber: request.serial,
    },
  })),
  list_certificates: encoderV201(
    'GetInstalledCertificateIds',
    (request: ListCertificates) => ({ certificateType: [USES[request.use]] }),
    // NotFound is an answer: there are none.
    () => 'accepted',
  ),
}
