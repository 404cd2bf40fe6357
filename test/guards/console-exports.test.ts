import { readdir, readFile } from 'node:fs/promises'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const WIDGET = 'values of a widget, whose measurements have exports of their own'
const NOT_STORED = 'the response to a file or a form, of which nothing is stored'
const COMPUTED = 'differences that the page computes from two lists, which have reports'
const EDITOR = 'an editor of rows that are not stored yet'
const SETTING = 'the settings of one tenant, whose page is the whole record'
const SUM = 'a sum of a few lines beside a table that has a report'

/** Files with tables that have no export: their number and the reason. The list may only shrink. */
const WITHOUT_EXPORT: Readonly<Record<string, readonly [number, string]>> = {
  'areas/admin/quotas.tsx': [1, SETTING],
  'areas/alarms/policy-preview.tsx': [1, NOT_STORED],
  'areas/insight/views/bucket-chart.tsx': [1, WIDGET],
  'areas/insight/views/live.tsx': [1, WIDGET],
  'areas/insight/views/states.tsx': [2, WIDGET],
  'areas/netting/hour-balance.tsx': [1, SUM],
  'areas/netting/ledger/statement-table.tsx': [1, SUM],
  'areas/netting/reconcile/report.tsx': [4, NOT_STORED],
  'areas/netting/runs/compare-runs.tsx': [2, COMPUTED],
  'areas/netting/scenarios/comparison-page.tsx': [1, COMPUTED],
  'areas/overview/flow-diagram.tsx': [1, SUM],
  'areas/readings/meter-data-import.tsx': [2, NOT_STORED],
  'areas/readings/reading-import.tsx': [1, NOT_STORED],
  'areas/setup/history-step.tsx': [1, NOT_STORED],
  'areas/tariffs/faulty-rows.tsx': [1, EDITOR],
  'areas/tariffs/price-set-page.tsx': [1, COMPUTED],
  'areas/templates/frames.tsx': [1, NOT_STORED],
  'areas/templates/register-grid.tsx': [1, EDITOR],
}

/** The shared tables, which draw the menu that their pages ask for. */
const SHARED = new Set(['ui/data-table.tsx', 'ui/virtual-table.tsx', 'ui/heat-map.tsx'])
const TABLES = new Set(['DataTable', 'VirtualTable', 'HeatMap'])

/** Tables of a component that have no export: those with `report={null}`, and others without a menu in the file. */
function tablesWithoutExport(path: string, text: string): number {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  let count = 0
  let plain = 0
  let menus = 0
  const walk = (node: ts.Node): void => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const name = node.tagName.getText()
      if (name === 'table' || name === 'HeatMap') plain += 1
      else if (name === 'ExportMenu') menus += 1
      else if (isWithoutReport(name, node.attributes)) count += 1
    }
    ts.forEachChild(node, walk)
  }
  walk(file)
  return count + Math.max(0, plain - menus)
}

/** A table needs a report; a component that hands one on to its table may also say that there is none. */
function isWithoutReport(name: string, { properties }: ts.JsxAttributes): boolean {
  const report = properties.find((one) => ts.isJsxAttribute(one) && one.name.getText() === 'report')
  if (!report || !ts.isJsxAttribute(report)) return TABLES.has(name)
  return report.initializer?.getText() === '{null}'
}

async function countsByFile(): Promise<Record<string, number>> {
  const names = await readdir('web/src', { recursive: true })
  const paths = names.filter((name) => name.endsWith('.tsx') && !SHARED.has(name))
  const counted = await Promise.all(
    paths.map(
      async (path) => [path, tablesWithoutExport(path, await readFile(`web/src/${path}`, 'utf8'))] as const,
    ),
  )
  return Object.fromEntries(counted.filter(([, count]) => count > 0))
}

describe('tables of the console', () => {
  it('can be exported, with reasoned exceptions', async () => {
    const excepted = Object.entries(WITHOUT_EXPORT).map(([path, [count]]) => [path, count])
    expect(await countsByFile()).toEqual(Object.fromEntries(excepted))
  })

  it('are found where they have no export', () => {
    expect(tablesWithoutExport('a.tsx', "const A = <DataTable report={null} caption='a' />")).toBe(1)
    expect(tablesWithoutExport('a.tsx', "const A = <DataTable caption='a' />")).toBe(1)
    expect(tablesWithoutExport('a.tsx', "const A = <DataTable report={{ list: 'a' }} />")).toBe(0)
    expect(tablesWithoutExport('a.tsx', 'const A = <table><tbody /></table>')).toBe(1)
    expect(tablesWithoutExport('a.tsx', 'const A = <><ExportMenu /><table /></>')).toBe(0)
  })
})
