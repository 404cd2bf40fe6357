import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../../api/session.tsx'
import { useText } from '../../../kernel/text.tsx'
import { useAction } from '../../../ui/action.tsx'
import { Button } from '../../../ui/controls.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { LIST, ONE, type Scenario, useScenarioRefresh } from './data.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const NAME_MAX = 200

/** What may be done with a scenario. */
export function ScenarioActions({ scenario }: { readonly scenario: Scenario }) {
  const t = useText()
  const { api } = useClient()
  const navigate = useNavigate()
  const refresh = useScenarioRefresh()
  const { run, isRunning, notice } = useAction([])
  const [isAsking, setAsking] = useState(false)
  const path = { id: scenario.id }
  const act = (action: () => Promise<unknown>) =>
    void run(async () => {
      await action()
      await refresh()
      return undefined
    })
  const compareMonthly = async () => {
    const { data } = await api.post(LIST, { body: nettedByMonth(scenario, t(monthlyName(scenario))) })
    await navigate({ to: '/netting/scenarios/comparison', search: { ids: `${scenario.id},${data.id}` } })
  }
  const remove = async () => {
    await api.delete(ONE, { path })
    await navigate({ to: '/netting/scenarios' })
  }
  return (
    <>
      <div className="row">
        {scenario.state === 'waiting' ? (
          <Button isDisabled={isRunning} onPress={() => act(() => api.post(`${ONE}/cancel`, { path }))}>
            {t(TEXTS.SCENARIOS_CANCEL())}
          </Button>
        ) : (
          <Button isDisabled={isRunning} onPress={() => act(() => api.post(`${ONE}/calculate`, { path }))}>
            {t(TEXTS.SCENARIOS_CALCULATE())}
          </Button>
        )}
        <Button isDisabled={isRunning} onPress={() => act(compareMonthly)}>
          {t(TEXTS.SCENARIOS_MONTHLY())}
        </Button>
        <Button isDisabled={isRunning} onPress={() => setAsking(true)}>
          {t(TEXTS.SCENARIOS_DELETE())}
        </Button>
      </div>
      {notice}
      {isAsking && (
        <Dialog title={scenario.name} onClose={() => setAsking(false)}>
          <p>{t(TEXTS.SCENARIOS_DELETE_ASK())}</p>
          <div className="row">
            <Button
              variant="primary"
              onPress={() => {
                setAsking(false)
                act(remove)
              }}
            >
              {t(UI_TEXTS.UI_DELETE())}
            </Button>
            <Button onPress={() => setAsking(false)}>{t(UI_TEXTS.UI_CANCEL())}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

const monthlyName = ({ name }: Scenario) =>
  TEXTS.SCENARIOS_MONTHLY_NAME({ name: name.slice(0, NAME_MAX / 2) })

/** The same scenario with its groups netted by month. */
const nettedByMonth = ({ group_ids, from, to, changes, cost_try }: Scenario, name: string) => ({
  ...{ name, group_ids, from, to },
  changes: [
    ...changes,
    ...group_ids.map((group_id) => ({ type: 'netting_interval', group_id, interval: 'month' }) as const),
  ],
  ...(cost_try !== null && { cost_try }),
})
