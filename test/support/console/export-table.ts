import type { Download, Page } from 'playwright-core'

/** Opens the menu above a table, of which `table` is the name, and downloads it in a format. */
export async function exportTable(
  page: Page,
  table: string,
  format: 'CSV' | 'XLSX' | 'PDF',
): Promise<Download> {
  const download = page.waitForEvent('download')
  const menu = page.locator('.export-menu').filter({ has: page.getByRole('button', { name: `: ${table}` }) })
  const button = menu.getByRole('button').first()
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click()
  await menu.getByRole('button', { name: format }).click()
  return download
}
