import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { KeptFile } from '../../../platform/http/upload-stream.ts'
import type { ReceivedFirmware } from './folder.ts'
import {
  FIRMWARE_MODEL_MAX_LENGTH,
  FIRMWARE_NOTES_MAX_LENGTH,
  FIRMWARE_VERSION_MAX_LENGTH,
} from './limits.ts'
import { FIRMWARE_STATUSES } from './states.ts'

const Version = {
  ...Text(FIRMWARE_VERSION_MAX_LENGTH),
  description: 'Semantic version (semver.org 2.0.0) without a leading v; unique for the device_model.',
}
const Model = {
  ...Text(FIRMWARE_MODEL_MAX_LENGTH),
  description:
    'Device model that the firmware supports: the model of a gateway, or of the template or ' +
    'extra_metadata of a device.',
}
const Signature = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Ed25519 signature of the 32 bytes of the SHA-256 of the file, base64; verified with ' +
    'FIRMWARE_PUBLIC_KEYS.',
})
const SigningCertificate = Type.String({
  maxLength: 5_500,
  description:
    'Signing certificate of the manufacturer (PEM), with which charging stations verify firmware (OCPP).',
})
const CertificateSignature = Type.String({
  minLength: 1,
  maxLength: 800,
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
  description: 'RSA or ECDSA signature with SHA-256 of the file by the key of signing_certificate, base64.',
})
const Notes = Type.String({ maxLength: FIRMWARE_NOTES_MAX_LENGTH, description: 'For people.' })

export const FirmwareVersion = Type.Object(
  {
    id: Id,
    version: Type.String({ description: Version.description }),
    device_model: Type.String({ description: Model.description }),
    file_name: Type.String({ description: 'Name of the uploaded file; also the name of downloads.' }),
    size_bytes: Type.Integer({ description: 'Of the file.' }),
    sha256: Type.String({
      description: 'SHA-256 of the file, hexadecimal; in quotes it is the ETag of a download.',
    }),
    signature: Nullable(Signature),
    signing_certificate: Nullable(SigningCertificate),
    certificate_signature: Nullable(CertificateSignature),
    release_notes: Nullable(Notes),
    status: Type.String({
      ...Word(FIRMWARE_STATUSES),
      description:
        'Status: a draft can be changed; a released version can be installed and never changes; a ' +
        'deprecated version is kept.',
    }),
    created_by: Nullable({ ...Id, description: 'User who uploaded the version.' }),
    created_at: Instant,
    released_at: Nullable(Instant),
    deprecated_at: Nullable(Instant),
  },
  { title: 'FirmwareVersion' },
)

export const UploadFirmware = Type.Object(
  {
    version: Version,
    device_model: Model,
    release_notes: Type.Optional(Notes),
    signature: Type.Optional(Signature),
    signing_certificate: Type.Optional(SigningCertificate),
    certificate_signature: Type.Optional(CertificateSignature),
    file: KeptFile<ReceivedFirmware>('Firmware file, at most FIRMWARE_MAX_BYTES.'),
  },
  { title: 'UploadFirmware' },
)
export const UPLOAD_FIELDS = [
  ...(['version', 'device_model', 'release_notes', 'signature'] as const),
  ...(['signing_certificate', 'certificate_signature'] as const),
] as const

/** Omitted fields are unchanged; null clears. */
export const UpdateFirmware = Type.Object(
  {
    version: Type.Optional(Version),
    device_model: Type.Optional(Model),
    release_notes: Type.Optional(Nullable(Notes)),
    signature: Type.Optional(Nullable(Signature)),
    signing_certificate: Type.Optional(Nullable(SigningCertificate)),
    certificate_signature: Type.Optional(Nullable(CertificateSignature)),
  },
  { title: 'UpdateFirmwareVersion' },
)

export const FirmwareQuery = Type.Object({
  ...PageQuery(['created_at', 'version', 'device_model', 'status', 'size_bytes']),
  search: Search('version, model and file name'),
  device_model: Type.Optional(Model),
  version: Type.Optional(Version),
  status: Type.Optional(OneOf(FIRMWARE_STATUSES)),
})

export type UploadFirmware = Static<typeof UploadFirmware>
export type UpdateFirmware = Static<typeof UpdateFirmware>
export type FirmwareQuery = Static<typeof FirmwareQuery>
