// The texts of faults, which only the thread raises, are declared in this process too: it writes the responses.
import '../../../core/netting/scenario/messages.ts'
import { messages } from '../../../kernel/messages.ts'

export const SCENARIO_TEXTS = messages({
  SCENARIO_RANGE_INVALID: {
    en: 'the months from {from:period} to {to:period} are not 1 to {months} months in order, none of them in the future',
    tr: '{from:period} - {to:period} arası, gelecekte olmayan ve sıralı 1 ila {months} ay değil',
  },
  SCENARIO_TOO_LARGE: {
    en: 'a scenario has at most {groups} groups and {group_months} months of groups',
    tr: 'bir senaryoda en çok {groups} grup ve {group_months} grup ayı olabilir',
  },
  SCENARIO_WITHOUT_RESULTS: {
    en: 'no month of these groups has a result with a stored input',
    tr: 'bu grupların hiçbir ayının girdisi saklanan bir sonucu yok',
  },
  SCENARIOS_OPEN: {
    en: '{count} {count?scenario is:scenarios are} waiting; wait until one is finished',
    tr: '{count} senaryo bekliyor; birinin bitmesini bekleyin',
  },
  SCENARIOS_KEPT: {
    en: '{max} scenarios are stored; delete one first',
    tr: '{max} senaryo saklanıyor; önce birini silin',
  },
  SCENARIO_NOT_WAITING: {
    en: 'the scenario is finished',
    tr: 'senaryo bitti',
  },
  SCENARIO_STILL_WAITING: {
    en: 'the scenario is not finished',
    tr: 'senaryo henüz bitmedi',
  },
  SCENARIO_NOT_DONE: {
    en: 'the scenario has no result',
    tr: 'senaryonun sonucu yok',
  },
  SCENARIO_FAILED: {
    en: 'the scenario could not be computed; the log of the service has the cause',
    tr: 'senaryo hesaplanamadı; neden, hizmetin günlüğünde',
  },
  SCENARIO_TOO_MANY_COMPARED: {
    en: 'at most {max} scenarios can be compared',
    tr: 'en çok {max} senaryo karşılaştırılabilir',
  },
})
