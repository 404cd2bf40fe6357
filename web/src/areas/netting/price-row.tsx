import { useQuery } from '@tanstack/react-query'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useClient, useProfile } from '../../api/session.tsx'
import { formatDay, formatMonth } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Detail, Details } from '../../ui/details.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { UnitPrice } from '../../ui/value.tsx'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { PRICE_PURPOSES, SUBSCRIBERS, TIME_SEGMENTS, useWord } from './words.ts'

const SETS_PATH = '/api/v1/admin/regulated-tariffs/price-sets'
type PriceSet = ListItem<typeof SETS_PATH>
type Price = ListItem<`${typeof SETS_PATH}/{id}/prices`>

/** The row of the price table by which an amount was made. The tables are open to superusers only. */
export function PriceRow({ id }: { readonly id: string | null }) {
  const t = useText()
  const { is_superuser } = useProfile()
  if (id === null) return <p className="muted">{t(PROVENANCE_TEXTS.PROVENANCE_NO_PRICE())}</p>
  if (is_superuser) return <PriceOf id={id} />
  return (
    <p className="muted">
      {t(PROVENANCE_TEXTS.PROVENANCE_PRICE_OF_SUPERUSER())} <code>{id}</code>
    </p>
  )
}

/** The row and its set: the API has the prices by set, so the approved sets are read, newest first. */
function usePrice(id: string) {
  const { api } = useClient()
  return useQuery({
    queryKey: ['price row', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<{ readonly set: PriceSet; readonly price: Price } | null> => {
      for await (const set of api.list(SETS_PATH, { signal })) {
        if (set.approval_status === 'draft') continue
        for await (const price of api.list(`${SETS_PATH}/{id}/prices`, { path: { id: set.id }, signal }))
          if (price.id === id) return { set, price }
      }
      return null
    },
  })
}

function PriceOf({ id }: { readonly id: string }) {
  const t = useText()
  const query = usePrice(id)
  return (
    <Loaded query={query}>
      {(found) => (
        <Details>
          <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_RUN_ID())}>
            <code>{id}</code>
          </Detail>
          {found ? (
            <PriceDetails {...found} />
          ) : (
            <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_PRICE_SET())}>
              {t(PROVENANCE_TEXTS.PROVENANCE_PRICE_ABSENT())}
            </Detail>
          )}
        </Details>
      )}
    </Loaded>
  )
}

function PriceDetails({ set, price }: { readonly set: PriceSet; readonly price: Price }) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const from = formatDay(price.valid_from, language)
  return (
    <>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_UNIT_PRICE())}>
        <UnitPrice value={price.price} />
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_PRICE_SET())}>
        {set.name ?? t(UI_TEXTS.UI_NONE())} ({formatMonth(set.billing_period, language)})
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_PURPOSE())}>
        {word(PRICE_PURPOSES, price.price_purpose)}
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_SUBSCRIBERS())}>
        {word(SUBSCRIBERS, price.abone_grubu)}
        {price.tariff_class !== null && ` · ${price.tariff_class}`}
        {price.tariff_code !== null && ` · ${price.tariff_code}`}
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_VOLTAGE())}>
        {price.gerilim_seviyesi ?? t(PROVENANCE_TEXTS.PROVENANCE_ANY())}
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_SEGMENT())}>
        {price.time_segment === null
          ? t(PROVENANCE_TEXTS.PROVENANCE_ANY())
          : word(TIME_SEGMENTS, price.time_segment)}
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_STEP())}>
        {price.step_no ?? t(PROVENANCE_TEXTS.PROVENANCE_ANY())}
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_VALID())}>
        {price.valid_to === null
          ? t(PROVENANCE_TEXTS.PROVENANCE_VALID_OPEN({ from }))
          : t(PROVENANCE_TEXTS.PROVENANCE_VALID_RANGE({ from, to: formatDay(price.valid_to, language) }))}
      </Detail>
      <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_NOTE())}>
        {price.source_note ?? set.source_note ?? t(UI_TEXTS.UI_NONE())}
      </Detail>
    </>
  )
}
