import type { Readable } from 'node:stream'
import { languageOf } from '../../../../platform/pdf/language.ts'
import {
  BOLD,
  drawRule,
  FONT,
  INK,
  MARGIN,
  MUTED,
  makeRoom,
  numberPages,
  openDocument,
  type Page,
  put,
  RULE,
  SHADE,
  widthOf,
} from '../../../../platform/pdf/page.ts'
import { drawRows } from '../../../../platform/pdf/rows.ts'
import type { SessionStatus } from '../sessions/states.ts'
import {
  eventRows,
  lockRows,
  pointRows,
  type RecordContent,
  type RecordLanguage,
  signersOf,
  stepsOf,
} from './content.ts'
import { recordLabels } from './labels.ts'

export interface RecordInput {
  readonly content: RecordContent
  readonly locale: 'tr' | 'en'
  /** Time of printing, epoch milliseconds. */
  readonly at: number
}

/** The red of lockout tags. */
const TAG = '#b3261e'
const STATUS_COLORS: Readonly<Record<SessionStatus, string>> = {
  pending: '#b7791f',
  approved: '#2a6f97',
  rejected: '#6b7c88',
  applied: TAG,
  released: '#3d7d3f',
}

/**
 * Draws a session on A4 for printing and signing: data of the session, steps, points, locks, fields for
 * signatures and the audit trail.
 */
export async function drawRecord({ content, locale, at }: RecordInput): Promise<Readable> {
  const texts: RecordLanguage = { labels: recordLabels(locale), language: languageOf(locale) }
  const { labels, language } = texts
  const document = openDocument({ title: `${labels.title}: ${content.session.title}`, at, language: locale })
  drawHeading(document, texts, { content, at })
  drawSteps(document, texts, content)
  heading(document, labels.points, 60)
  await drawRows(document, pointColumns(texts), pointRows(texts, content))
  heading(document, labels.locks, 40)
  if (content.session.locks.length === 0) note(document, labels.noLocks)
  else await drawRows(document, lockColumns(texts), lockRows(texts, content))
  drawSignatures(document, texts, content)
  heading(document, labels.trail, 60)
  await drawRows(document, eventColumns(texts), eventRows(texts, content))
  if (!content.isComplete) note(document, labels.moreEvents(content.events.length))
  numberPages(document, language, `Netsaat · ${content.session.id} · ${language.clock}`)
  document.end()
  return document as unknown as Readable
}

function drawHeading(
  document: Page,
  texts: RecordLanguage,
  { content: { session }, at }: { content: RecordContent; at: number },
): void {
  const { labels, language } = texts
  const width = widthOf(document)
  document.rect(0, 0, document.page.width, 10).fill(TAG)
  document.font(BOLD).fontSize(8).fillColor(TAG)
  put(document, labels.subtitle, { x: MARGIN, y: MARGIN - 12, width })
  document.font(BOLD).fontSize(19).fillColor(INK)
  put(document, labels.title, { x: MARGIN, y: MARGIN, width: width - 130 })
  drawStatus(document, labels.statuses[session.status as SessionStatus], session.status as SessionStatus)
  document.font(FONT).fontSize(8).fillColor(MUTED)
  const line = `${labels.number} ${session.id} · ${labels.made} ${language.time(at)}`
  put(document, line, { x: MARGIN, y: MARGIN + 27, width })
  drawRule(document, MARGIN + 44, RULE)
  document.font(BOLD).fontSize(12).fillColor(INK)
  document.text(session.title, MARGIN, MARGIN + 54, { width })
  document.font(FONT).fontSize(8).fillColor(MUTED)
  document.text(labels.reason, MARGIN, document.y + 6, { width })
  document
    .fontSize(9)
    .fillColor(INK)
    .text(session.reason, MARGIN, document.y + 1, { width })
  document.y += 12
}

function drawStatus(document: Page, text: string, status: SessionStatus): void {
  const width = 122
  const x = MARGIN + widthOf(document) - width
  document.roundedRect(x, MARGIN, width, 22, 11).fill(STATUS_COLORS[status])
  document.font(BOLD).fontSize(9).fillColor('#ffffff')
  put(document, text, { x, y: MARGIN + 6, width, align: 'center' })
}

const tallest = (document: Page, names: readonly string[], width: number): number =>
  Math.max(...names.map((name) => document.heightOfString(name, { width })))

/** Draws the persons of the four steps side by side; a long name takes several lines. */
function drawSteps(document: Page, texts: RecordLanguage, content: RecordContent): void {
  const steps = stepsOf(texts, content).map((step) => ({ ...step, name: step.name || '–' }))
  const gap = 8
  const width = (widthOf(document) - (steps.length - 1) * gap) / steps.length
  document.font(BOLD).fontSize(9)
  const names = tallest(
    document,
    steps.map(({ name }) => name),
    width - 18,
  )
  const height = names + 40
  makeRoom(document, height + 12)
  const y = document.y
  for (const [index, { title, name, at }] of steps.entries()) {
    const x = MARGIN + index * (width + gap)
    document.roundedRect(x, y, width, height, 4).fill(SHADE)
    document.rect(x, y + 6, 3, height - 12).fill(at === '' ? RULE : INK)
    const inner = { x: x + 11, width: width - 18 }
    document.font(FONT).fontSize(7.5).fillColor(MUTED)
    put(document, title, { ...inner, y: y + 7 })
    document.font(BOLD).fontSize(9).fillColor(INK)
    document.text(name, inner.x, y + 20, { width: inner.width })
    document.font(FONT).fontSize(8).fillColor(MUTED)
    put(document, at, { ...inner, y: y + names + 24 })
  }
  document.x = MARGIN
  document.y = y + height + 12
}

function pointColumns({ labels }: RecordLanguage) {
  return [
    { title: labels.no, share: 0.06 },
    { title: labels.point, share: 0.3 },
    { title: labels.energy, share: 0.12 },
    { title: labels.method, share: 0.26 },
    { title: labels.verification, share: 0.26 },
  ]
}

function lockColumns({ labels }: RecordLanguage) {
  return [
    { title: labels.lock, share: 0.14 },
    { title: labels.no, share: 0.06 },
    { title: labels.owner, share: 0.26 },
    { title: labels.placed, share: 0.2 },
    { title: labels.removed, share: 0.34 },
  ]
}

function eventColumns({ labels }: RecordLanguage) {
  return [
    { title: labels.time, share: 0.19 },
    { title: labels.event, share: 0.2 },
    { title: labels.who, share: 0.24 },
    { title: labels.details, share: 0.37 },
  ]
}

const SIGNATURE_HEIGHT = 54
const SIGNATURES_ACROSS = 3

/** Draws a signature field for each signer: name, role and a line. */
function drawSignatures(document: Page, texts: RecordLanguage, content: RecordContent): void {
  const signers = signersOf(texts, content)
  heading(document, texts.labels.signatures, SIGNATURE_HEIGHT + 20)
  const gap = 16
  const width = (widthOf(document) - (SIGNATURES_ACROSS - 1) * gap) / SIGNATURES_ACROSS
  for (let first = 0; first < signers.length; first += SIGNATURES_ACROSS) {
    const row = signers.slice(first, first + SIGNATURES_ACROSS)
    document.font(BOLD).fontSize(8.5)
    const names = tallest(
      document,
      row.map(({ name }) => name),
      width,
    )
    makeRoom(document, SIGNATURE_HEIGHT + names)
    const y = document.y
    for (const [index, { title, name }] of row.entries()) {
      const at = { x: MARGIN + index * (width + gap), width }
      document.font(FONT).fontSize(7.5).fillColor(MUTED)
      put(document, title, { ...at, y: y + 2 })
      document.font(BOLD).fontSize(8.5).fillColor(INK)
      document.text(name, at.x, y + 13, { width })
      const line = y + names + 38
      document
        .moveTo(at.x, line)
        .lineTo(at.x + width, line)
        .lineWidth(0.7)
        .stroke(INK)
      document.font(FONT).fontSize(6.5).fillColor(MUTED)
      put(document, texts.labels.signature, { ...at, y: line + 3 })
    }
    document.x = MARGIN
    document.y = y + SIGNATURE_HEIGHT + names
  }
}

function heading(document: Page, text: string, below: number): void {
  makeRoom(document, 26 + below)
  document
    .font(BOLD)
    .fontSize(10.5)
    .fillColor(TAG)
    .text(text, MARGIN, document.y + 6, { width: widthOf(document) })
  document.y += 3
}

function note(document: Page, text: string): void {
  makeRoom(document, 20)
  document.font(FONT).fontSize(8).fillColor(MUTED)
  document.text(text, MARGIN, document.y + 2, { width: widthOf(document) })
  document.y += 8
}
