import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Message } from '../../../../src/kernel/messages.ts'
import { useClient } from '../../api/session.tsx'
import { formatInstant, formatMonth } from '../../kernel/dates.ts'
import { formatDecimal } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { CreateButton, RecordButtons } from '../../records/record-buttons.tsx'
import { PRICE_SETS, PRICES as PRICES_FORM } from '../../records/tariff-resources.ts'
import { valueText } from '../../records/value-texts.ts'
import { useAction } from '../../ui/action.tsx'
import { Button, Select } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { differencesOf, nameOf, type Price } from './price-difference.ts'
import { PriceImport } from './price-import.tsx'
import { DIFFERENCES, type PriceSet, SET_STATES } from './states.ts'
import { TARIFF_PAGE_TEXTS } from './texts.ts'

const SETS = '/api/v1/admin/regulated-tariffs/price-sets'
const PRICES = '/api/v1/admin/regulated-tariffs/price-sets/{id}/prices'
/** Decimal places of prices. */
const PLACES = 6
/** Sets offered for a comparison, newest first. */
const SETS_MAX = 200

/** All prices of a set; empty without one. */
function usePrices(setId: string | undefined) {
  const { api } = useClient()
  return useQuery({
    queryKey: [PRICES, setId],
    queryFn: async () => {
      if (setId === undefined) return []
      const prices: Price[] = []
      for await (const price of api.list(PRICES, { path: { id: setId } })) prices.push(price)
      return prices
    },
  })
}

function useSets() {
  const { api } = useClient()
  return useQuery({
    queryKey: [SETS],
    queryFn: async () => (await api.get(SETS, { query: { limit: SETS_MAX } })).data,
  })
}

/** One price set: its prices, an import, the difference to another set, and its approval. */
export function PriceSetPage() {
  const t = useText()
  const { setId } = useParams({ from: '/signed-in/tariffs/sets/$setId' })
  const sets = useSets()
  const prices = usePrices(setId)
  const set = sets.data?.find(({ id }) => id === setId)
  return (
    <Page title={set?.name ?? t(TARIFF_PAGE_TEXTS.TARIFFS_SET())}>
      <Loaded query={sets}>
        {(known) =>
          set === undefined ? (
            <p>{t(UI_TEXTS.UI_NOT_FOUND())}</p>
          ) : (
            <>
              <SetState set={set} />
              {set.approval_status === 'draft' && (
                <div>
                  <CreateButton resource={PRICES_FORM} parentId={setId} />
                </div>
              )}
              {set.approval_status === 'draft' && <PriceImport setId={setId} month={set.billing_period} />}
              <Loaded query={prices}>
                {(rows) => (
                  <>
                    <Difference sets={known} set={set} prices={rows} />
                    <PriceTable setId={setId} prices={rows} />
                  </>
                )}
              </Loaded>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function SetState({ set }: { readonly set: PriceSet }) {
  const t = useText()
  const { language } = useLanguage()
  const { api } = useClient()
  const navigate = useNavigate()
  const { run, isRunning, notice } = useAction([SETS])
  const { id, approved_at, approval_status } = set
  const approve = async () => {
    await api.post('/api/v1/admin/regulated-tariffs/price-sets/{id}/approve', { path: { id } })
    return undefined
  }
  const remove = async () => {
    await api.delete('/api/v1/admin/regulated-tariffs/price-sets/{id}', { path: { id } })
    await navigate({ to: '/tariffs' })
    return undefined
  }
  return (
    <section className="card">
      <div className="row">
        <StateTag states={SET_STATES} value={approval_status} />
        <RecordButtons resource={PRICE_SETS} record={{ ...set }} />
      </div>
      <DetailList
        entries={[
          [t(TARIFF_PAGE_TEXTS.TARIFFS_MONTH()), formatMonth(set.billing_period, language)],
          [t(TARIFF_PAGE_TEXTS.TARIFFS_SOURCE()), set.source_note],
          [
            t(TARIFF_PAGE_TEXTS.TARIFFS_APPROVED_AT()),
            approved_at === null ? null : formatInstant(approved_at, 'dateTime', language),
          ],
        ]}
      />
      {notice}
      {approval_status === 'draft' && (
        <>
          <p className="muted">{t(TARIFF_PAGE_TEXTS.TARIFFS_APPROVE_NOTE())}</p>
          <div className="row">
            <Button variant="primary" isDisabled={isRunning} onPress={() => void run(approve)}>
              {t(TARIFF_PAGE_TEXTS.TARIFFS_APPROVE())}
            </Button>
            <Button isDisabled={isRunning} onPress={() => void run(remove)}>
              {t(UI_TEXTS.UI_DELETE())}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

interface DifferenceProps {
  readonly sets: readonly PriceSet[]
  readonly set: PriceSet
  readonly prices: readonly Price[]
}

/** What differs from another set: by default the newest approved one that is not of a later month. */
function Difference({ sets, set, prices }: DifferenceProps) {
  const t = useText()
  const { language } = useLanguage()
  const others = sets.filter(({ id }) => id !== set.id)
  const previous = others
    .filter((one) => one.approval_status === 'approved' && one.billing_period <= set.billing_period)
    .toSorted((a, b) => b.billing_period.localeCompare(a.billing_period))[0]
  const [chosen, setChosen] = useState<string>()
  const compared = chosen ?? previous?.id ?? ''
  const decimal = (price: string) => formatDecimal(price, PLACES, language)
  const before = usePrices(compared === '' ? undefined : compared)
  return (
    <section className="stack">
      <div className="row">
        <Select
          label={t(TARIFF_PAGE_TEXTS.TARIFFS_COMPARED())}
          value={compared}
          onChange={setChosen}
          options={[
            { value: '', text: t(TARIFF_PAGE_TEXTS.TARIFFS_NOTHING()) },
            ...others.map(({ id, name, billing_period }) => ({
              value: id,
              text: `${formatMonth(billing_period, language)} · ${name ?? id.slice(0, 8)}`,
            })),
          ]}
        />
      </div>
      {compared !== '' && (
        <Loaded query={before}>
          {(rows) => (
            <DataTable
              report={null}
              caption={t(TARIFF_PAGE_TEXTS.TARIFFS_DIFFERENCE())}
              rows={differencesOf(rows, prices)}
              keyOf={({ name }) => name}
              empty={t(TARIFF_PAGE_TEXTS.TARIFFS_NO_DIFFERENCE())}
              columns={[
                {
                  id: 'name',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_PRICE_NAME()),
                  cell: ({ name }) => priceText(name, t),
                },
                {
                  id: 'change',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_CHANGE()),
                  cell: ({ change }) => <StateTag states={DIFFERENCES} value={change} />,
                },
                {
                  id: 'before',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_BEFORE()),
                  isNumber: true,
                  cell: (row) => row.before.map(decimal).join(', '),
                },
                {
                  id: 'after',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_AFTER()),
                  isNumber: true,
                  cell: (row) => row.after.map(decimal).join(', '),
                },
              ]}
            />
          )}
        </Loaded>
      )}
    </section>
  )
}

/** The name of a price in the words of the reader. */
const priceText = (name: string, t: (message: Message) => string): string =>
  name
    .split(' · ')
    .map((part) => valueText(part, t))
    .join(' · ')

interface PriceTableProps {
  readonly setId: string
  readonly prices: readonly Price[]
}

function PriceTable({ setId, prices }: PriceTableProps) {
  const t = useText()
  const { language } = useLanguage()
  const dayText = (day: string) => formatInstant(`${day}T12:00:00+03:00`, 'date', language)
  return (
    <DataTable
      report={{ list: 'tariff_prices', query: { id: setId } }}
      caption={t(TARIFF_PAGE_TEXTS.TARIFFS_PRICES())}
      rows={prices}
      keyOf={({ id }) => id}
      empty={t(TARIFF_PAGE_TEXTS.TARIFFS_NO_PRICES())}
      columns={[
        {
          id: 'name',
          title: t(TARIFF_PAGE_TEXTS.TARIFFS_PRICE_NAME()),
          cell: (price) => priceText(nameOf(price), t),
        },
        {
          id: 'price',
          title: t(TARIFF_PAGE_TEXTS.TARIFFS_PRICE()),
          isNumber: true,
          cell: ({ price }) => formatDecimal(price, PLACES, language),
        },
        {
          id: 'valid',
          title: t(TARIFF_PAGE_TEXTS.TARIFFS_VALID()),
          cell: ({ valid_from, valid_to }) =>
            `${dayText(valid_from)} – ${valid_to === null ? '' : dayText(valid_to)}`,
        },
        {
          id: 'source',
          title: t(TARIFF_PAGE_TEXTS.TARIFFS_SOURCE()),
          cell: ({ source_note }) => source_note ?? '',
        },
      ]}
    />
  )
}
