import { type Static, Type } from 'typebox'
import { SIGNATURE_ALGORITHM } from './signature.ts'

/** The files of a package. The manifest lists every other file with its digest, except its own signature. */
export const FORMAT = 'netsaat-audit-package'
export const FORMAT_VERSION = 2
export const MANIFEST_FILE = 'manifest.json'
export const SIGNATURE_FILE = 'manifest.sig'
export const PUBLIC_KEY_FILE = 'public-key.pem'
export const README_FILE = 'README.txt'
export const SUMMARY_FILE = 'summary.json'
export const ELIGIBILITY_FILE = 'eligibility.json'
export const inputFile = (runId: string): string => `run-${runId}/input.json`
export const resultFile = (runId: string): string => `run-${runId}/result.json`

const Instant = Type.String({ format: 'date-time' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

const ManifestRun = Type.Object({
  id: Type.String({ format: 'uuid' }),
  from_hour: Instant,
  to_hour: Instant,
  scenario: Type.String(),
  triggered_by: Type.String(),
  started_at: Instant,
  finished_at: Instant,
  engine_version: Type.String(),
  input_hash: Sha256,
  /** The evaluation in the file of eligibility whose status the run used; null before the first one. */
  eligibility_run_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  format_version: Type.Integer(),
  group: Type.Object({ id: Type.String(), name: Type.String() }),
  billing_period: Type.String({ format: 'billing-period' }),
  engine_version: Type.String(),
  created_at: Instant,
  signed_by: Type.Object({ algorithm: Type.Literal(SIGNATURE_ALGORITHM), key_id: Type.String() }),
  runs: Type.Array(ManifestRun, { minItems: 1 }),
  /** The SHA-256 of every file except the manifest and its signature. */
  files: Type.Record(Type.String(), Sha256),
})

/** The part of the monthly summary that the runs of the period determine. */
export const SummaryText = Type.Object({
  billing_period: Type.String(),
  scenario: Type.String(),
  /** Null: unknown. */
  kwh: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  amounts_try: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  hours_calculated: Type.Integer(),
})

export type Manifest = Static<typeof Manifest>
export type SummaryText = Static<typeof SummaryText>

/** The README of every package, for readers without access to the service. */
export const README = `NETSAAT MAHSUPLAŞMA DENETİM PAKETİ

Bu paket, bir grubun bir fatura dönemine ait güncel hesaplarının bütün girdilerini ve sonuçlarını içerir.
Her rakam bu girdilerden, veritabanına bağlanmadan, yeniden hesaplanabilir:

    netsaat audit replay PAKET.zip

Komut, imzayı ve dosyaların sha-256 özetlerini denetler, eksik ya da fazla dosyayı bildirir, her hesabı girdisinden
yeniden yapar ve bütün satırları karşılaştırır. Sonuç ya "identical" (aynı) ya da ilk farktır: dosya, satır, alan,
kayıtlı değer, hesaplanan değer.

  manifest.json          grup, dönem, hesaplar, motor sürümü, girdi özetleri, dosyaların sha-256 özetleri
  manifest.sig           manifest.json dosyasının Ed25519 imzası (64 bayt)
  public-key.pem         imzanın açık anahtarı
  summary.json           aylık özet
  eligibility.json       hesapların kullandığı uygunluk değerlendirmeleri: kuralların sonuçları, gerekçe
  run-<id>/input.json    hesabın o anki girdisi: üyeler, sayaç atamaları, saatlik veriler, limit hesaplarının
                         açılış bakiyeleri, fiyatlar, kademe durumu
  run-<id>/result.json   hesabın yazdıkları: saatler, sanal sayaçlar, tutarlar, limit kullanımı, limit hareketleri

Enerji kWh, tutar TRY, fiyat TRY/kWh birimindedir; zamanlar UTC'dir (Türkiye saati UTC+03:00).
Girdiler hesap sırasında saklanmıştır: sonradan düzeltilen veriler bu hesapların girdisini değiştirmez.
Paketin kaynağından emin olmak için hizmetin açık anahtarını (GET /api/mahsuplasma/audit-key) paketten bağımsız
olarak edinin ve onunla denetleyin:

    netsaat audit replay PAKET.zip --public-key ANAHTAR.pem

İmza netsaat olmadan da denetlenebilir:

    openssl pkeyutl -verify -pubin -inkey ANAHTAR.pem -rawin -in manifest.json -sigfile manifest.sig


NETSAAT NETTING AUDIT PACKAGE

This package holds every input and every result of the current calculations of one group and billing period.
Each figure can be computed again from them, without a database:

    netsaat audit replay PACKAGE.zip

The command checks the signature and the sha-256 of every file, reports missing and additional files, computes each
run again from its input and compares all rows. It says "identical", or names the first difference: file, row,
field, stored value, computed value.

  manifest.json          group, period, runs, engine version, input hashes, sha-256 of the files
  manifest.sig           the Ed25519 signature of manifest.json (64 bytes)
  public-key.pem         the public key of the signature
  summary.json           the monthly summary
  eligibility.json       the evaluations of eligibility that the runs used: results of the rules, reason
  run-<id>/input.json    the input as it was when the run was made: members, meter assignments, hourly facts,
                         limit accounts with opening balances, prices, tariff step states
  run-<id>/result.json   what the run wrote: hours, virtual meters, amounts, use of limits, ledger movements

Energy is in kWh, money in TRY, prices in TRY/kWh; instants are UTC (Turkey is at UTC+03:00).
The inputs were kept when the runs were made: a fact that was corrected later does not change them.
To be sure of where the package comes from, obtain the public key of the service independently of the package
(GET /api/mahsuplasma/audit-key) and verify with it:

    netsaat audit replay PACKAGE.zip --public-key KEY.pem

The signature can be verified without netsaat as well:

    openssl pkeyutl -verify -pubin -inkey KEY.pem -rawin -in manifest.json -sigfile manifest.sig
`
