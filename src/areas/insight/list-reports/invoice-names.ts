import type { Labels } from '../../../platform/reports/table-report.ts'

const label = (tr: string, en: string): Labels => ({ tr, en })

/** Titles of the columns of invoice checks. */
export const INVOICE_NAMES: Readonly<Record<string, Labels>> = {
  supplier: label('Tedarikçi', 'Supplier'),
  invoice_number: label('Fatura no', 'Number of the invoice'),
  agreeing: label('Uyuşan satır', 'Agreeing lines'),
  differing: label('Farklı satır', 'Differing lines'),
  undecidable: label('Belirsiz satır', 'Undecidable lines'),
  claim_try: label('Fark (TL)', 'Difference (TRY)'),
  objection_status: label('İtiraz', 'Objection'),
  objection_due_on: label('İtirazın son günü', 'Last day of an objection'),
  objection_reminder_on: label('Hatırlatma', 'Reminder'),
  received_on: label('Alındığı gün', 'Received on'),
  received_from: label('Günün kaynağı', 'Source of the day'),
  file_sha256: label('Dosyanın SHA-256 değeri', 'SHA-256 of the file'),
  repeats: label('Yinelenen denetim', 'Repeated check'),
  on: label('Gün', 'Day'),
  amount_try: label('Tutar (TL)', 'Amount (TRY)'),
  line: label('Satır', 'Line'),
  key: label('Zaman', 'Time'),
  before_verdict: label('Önceki sonuç', 'Result before'),
  before_cause: label('Önceki neden', 'Cause before'),
  before_claim_try: label('Önceki fark (TL)', 'Difference before (TRY)'),
  after_verdict: label('Şimdiki sonuç', 'Result now'),
  after_cause: label('Şimdiki neden', 'Cause now'),
  after_claim_try: label('Şimdiki fark (TL)', 'Difference now (TRY)'),
  layout: label('Düzen', 'Layout'),
}
