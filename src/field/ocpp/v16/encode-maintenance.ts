import type {
  DeleteCertificate,
  GetFile,
  InstallCertificate,
  ListCertificates,
  SignedCertificate,
  UpdateFirmware,
} from '../../../areas/charging/index.ts'
import { says, secondsOnly, told, when } from '../omit-empty.ts'
import type { Speech } from '../types.ts'

const retrying = ({ retries, retry_interval_seconds }: Partial<GetFile>) => ({
  retries,
  retryInterval: retry_interval_seconds,
})

/** Files, firmware and certificates: the profile FirmwareManagement, and the security extension. */
export const SPEECH_UPKEEP: Speech = {
  get_diagnostics: says(
    'GetDiagnostics',
    (request: GetFile) =>
      told({
        location: request.location,
        startTime: secondsOnly(request.from),
        stopTime: secondsOnly(request.to),
        ...retrying(request),
      }),
    // Without a name there is nothing to send.
    ({ fileName }: { readonly fileName?: string }) => (fileName ? 'accepted' : 'rejected'),
  ),
  get_security_log: says(
    'GetLog',
    (request: GetFile, { commandNumber }) =>
      told({
        logType: 'SecurityLog',
        requestId: commandNumber,
        log: told({
          remoteLocation: request.location,
          oldestTimestamp: secondsOnly(request.from),
          latestTimestamp: secondsOnly(request.to),
        }),
        ...retrying(request),
      }),
    when('Accepted', 'AcceptedCanceled'),
  ),
  update_firmware: says(
    'UpdateFirmware',
    (request: UpdateFirmware) =>
      told({
        location: request.location,
        retrieveDate: secondsOnly(request.retrieve_at),
        ...retrying(request),
      }),
    () => 'accepted',
  ),
  update_signed_firmware: says('SignedUpdateFirmware', (request: UpdateFirmware, { commandNumber }) =>
    told({
      requestId: commandNumber,
      ...retrying(request),
      firmware: told({
        location: request.location,
        retrieveDateTime: secondsOnly(request.retrieve_at),
        signingCertificate: request.signing_certificate,
        signature: request.signature,
      }),
    }),
  ),
  sign_certificate_answer: says('CertificateSigned', (request: SignedCertificate) => ({
    certificateChain: request.certificate_chain,
  })),
  install_certificate: says('InstallCertificate', (request: InstallCertificate) => ({
    certificateType:
      request.use === 'manufacturer_root' ? 'ManufacturerRootCertificate' : 'CentralSystemRootCertificate',
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
    (request: ListCertificates) => ({
      certificateType:
        request.use === 'manufacturer_root' ? 'ManufacturerRootCertificate' : 'CentralSystemRootCertificate',
    }),
    // NotFound is an answer: there are none.
    () => 'accepted',
  ),
}
