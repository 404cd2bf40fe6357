import type {
  DeleteCertificate,
  GetFile,
  InstallCertificate,
  ListCertificates,
  SignedCertificate,
  UpdateFirmware,
} from '../../../areas/charging/stations.ts'
import { encoderV16, omitEmpty, required, secondsOnly } from '../encoding.ts'
import type { Encoders } from '../types.ts'

const retrying = ({ retries, retry_interval_seconds }: Partial<GetFile>) => ({
  retries,
  retryInterval: retry_interval_seconds,
})

/** Files, firmware and certificates: the profile FirmwareManagement, and the security extension. */
export const MAINTENANCE_ENCODERS_16: Encoders = {
  get_diagnostics: encoderV16(
    'GetDiagnostics',
    (request: GetFile) =>
      omitEmpty({
        location: request.location,
        startTime: secondsOnly(request.from),
        stopTime: secondsOnly(request.to),
        ...retrying(request),
      }),
    // Without a name there is nothing to send.
    ({ fileName }: { readonly fileName?: string }) => (fileName ? 'accepted' : 'rejected'),
  ),
  get_security_log: encoderV16(
    'GetLog',
    (request: GetFile, { commandNumber }) =>
      omitEmpty({
        logType: 'SecurityLog',
        requestId: commandNumber,
        log: omitEmpty({
          remoteLocation: request.location,
          oldestTimestamp: secondsOnly(request.from),
          latestTimestamp: secondsOnly(request.to),
        }),
        ...retrying(request),
      }),
    ['Accepted', 'AcceptedCanceled'],
  ),
  update_firmware: encoderV16(
    'UpdateFirmware',
    (request: UpdateFirmware) =>
      omitEmpty({
        location: request.location,
        retrieveDate: secondsOnly(request.retrieve_at),
        ...retrying(request),
      }),
    () => 'accepted',
  ),
  update_signed_firmware: encoderV16('SignedUpdateFirmware', (request: UpdateFirmware, { commandNumber }) =>
    omitEmpty({
      requestId: commandNumber,
      ...retrying(request),
      firmware: omitEmpty({
        location: request.location,
        retrieveDateTime: secondsOnly(request.retrieve_at),
        signingCertificate: required(request.signing_certificate, 'signingCertificate'),
        signature: required(request.signature, 'signature'),
      }),
    }),
  ),
  sign_certificate_answer: encoderV16('CertificateSigned', (request: SignedCertificate) => ({
    certificateChain: request.certificate_chain,
  })),
  install_certificate: encoderV16('InstallCertificate', (request: InstallCertificate) => ({
    certificateType:
      request.use === 'manufacturer_root' ? 'ManufacturerRootCertificate' : 'CentralSystemRootCertificate',
    certificate: request.certificate_pem,
  })),
  delete_certificate: encoderV16('DeleteCertificate', (request: DeleteCertificate) => ({
    certificateHashData: {
      hashAlgorithm: request.hash_algorithm,
      issuerNameHash: request.issuer_name_hash,
      issuerKeyHash: request.issuer_key_hash,
      serialNumber: request.serial,
    },
  })),
  list_certificates: encoderV16(
    'GetInstalledCertificateIds',
    (request: ListCertificates) => ({
      certificateType:
        request.use === 'manufacturer_root' ? 'ManufacturerRootCertificate' : 'CentralSystemRootCertificate',
    }),
    // NotFound is an answer: there are none.
    () => 'accepted',
  ),
}
