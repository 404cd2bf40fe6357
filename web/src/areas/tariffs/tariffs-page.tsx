import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient, useProfile } from '../../api/session.tsx'
import { formatInstant, formatMonth, monthOf } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { MonthField } from '../../ui/date-field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { PageButtons } from '../../ui/pager.tsx'
import { StateFilter, StateTag } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { MarketPrices } from './market-prices.tsx'
import { SET_STATES } from './states.ts'
import { TARIFF_PAGE_TEXTS } from './texts.ts'

const PAGE_SIZE = 50

/** Market prices, and for superusers the sets of regulated prices, which are national data. */
export function TariffsPage() {
  const t = useText()
  const { is_superuser } = useProfile()
  const { tab } = useSearch({ from: '/signed-in/tariffs' })
  const navigate = useNavigate({ from: '/tariffs' })
  const selected = is_superuser && tab !== 'market' ? 'sets' : 'market'
  return (
    <Page title={t(TARIFF_PAGE_TEXTS.TARIFFS())}>
      <Tabs
        label={t(UI_TEXTS.UI_PARTS())}
        selected={selected}
        onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          ...(is_superuser ? [{ name: 'sets', title: t(TARIFF_PAGE_TEXTS.TARIFFS_SETS()) } as const] : []),
          { name: 'market', title: t(TARIFF_PAGE_TEXTS.TARIFFS_MARKET()) } as const,
        ]}
      >
        {selected === 'sets' && <PriceSets />}
        {selected === 'market' && <MarketPrices />}
      </Tabs>
    </Page>
  )
}

function PriceSets() {
  const t = useText()
  const { language } = useLanguage()
  const { state, page = 1 } = useSearch({ from: '/signed-in/tariffs' })
  const navigate = useNavigate({ from: '/tariffs' })
  const offset = (page - 1) * PAGE_SIZE
  const query = useGet('/api/v1/admin/regulated-tariffs/price-sets', {
    query: { offset, limit: PAGE_SIZE + 1, approval_status: state },
  })
  const turn = (next: number) => void navigate({ search: (previous) => ({ ...previous, page: next }) })
  return (
    <>
      <CreateSet />
      <div className="row">
        <StateFilter
          label={t(TARIFF_PAGE_TEXTS.TARIFFS_STATE())}
          states={SET_STATES}
          value={state}
          onChange={(next) => void navigate({ search: { tab: 'sets', state: next }, replace: true })}
        />
      </div>
      <Loaded query={query}>
        {(sets) => (
          <>
            <DataTable
              report={{ list: 'tariff_price_sets', query: { approval_status: state } }}
              caption={t(TARIFF_PAGE_TEXTS.TARIFFS_SETS())}
              rows={sets.slice(0, PAGE_SIZE)}
              keyOf={({ id }) => id}
              empty={t(TARIFF_PAGE_TEXTS.TARIFFS_NO_SETS())}
              columns={[
                {
                  id: 'name',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_NAME()),
                  cell: ({ id, name, billing_period }) => (
                    <Link to="/tariffs/sets/$setId" params={{ setId: id }}>
                      {name ?? billing_period}
                    </Link>
                  ),
                },
                {
                  id: 'month',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_MONTH()),
                  cell: ({ billing_period }) => formatMonth(billing_period, language),
                },
                {
                  id: 'state',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_STATE()),
                  cell: (set) => <StateTag states={SET_STATES} value={set.approval_status} />,
                },
                {
                  id: 'source',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_SOURCE()),
                  cell: ({ source_note }) => source_note ?? '',
                },
                {
                  id: 'created',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_CREATED()),
                  cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
                },
              ]}
            />
            <PageButtons page={page} hasNext={sets.length > PAGE_SIZE} onPage={turn} />
          </>
        )}
      </Loaded>
    </>
  )
}

function CreateSet() {
  const t = useText()
  const { api } = useClient()
  const navigate = useNavigate({ from: '/tariffs' })
  const [month, setMonth] = useState(() => monthOf(Date.now()))
  const [name, setName] = useState('')
  const [isOpen, setOpen] = useState(false)
  const submit = async () => {
    const { data } = await api.post('/api/v1/admin/regulated-tariffs/price-sets', {
      body: { billing_period: month, ...(name.trim() !== '' && { name: name.trim() }) },
    })
    await navigate({ to: '/tariffs/sets/$setId', params: { setId: data.id } })
  }
  if (!isOpen)
    return (
      <div className="row">
        <Button onPress={() => setOpen(true)}>{t(TARIFF_PAGE_TEXTS.TARIFFS_CREATE())}</Button>
      </div>
    )
  return (
    <section className="card">
      <h2>{t(TARIFF_PAGE_TEXTS.TARIFFS_CREATE())}</h2>
      <Form submitText={t(TARIFF_PAGE_TEXTS.TARIFFS_CREATE())} onSubmit={submit}>
        <MonthField
          label={t(TARIFF_PAGE_TEXTS.TARIFFS_MONTH())}
          value={month}
          onChange={setMonth}
          isRequired
        />
        <TextField label={t(TARIFF_PAGE_TEXTS.TARIFFS_NAME())} value={name} onChange={setName} />
      </Form>
    </section>
  )
}
