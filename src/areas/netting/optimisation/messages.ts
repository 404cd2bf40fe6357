// The texts of faults, which only the thread raises, are declared in this process too: it writes the responses.
import '../../../core/netting/optimisation/messages.ts'
import { messages } from '../../../kernel/messages.ts'

export const OPTIMISATION_TEXTS = messages({
  OPTIMISATION_RANGE_INVALID: {
    en: 'the months from {from:period} to {to:period} are not in order, or one of them is in the future',
    tr: '{from:period} - {to:period} ayları sıralı değil veya biri gelecekte',
  },
  OPTIMISATION_TOO_LARGE: {
    en: 'an optimisation has at most {groups} groups and {group_months} months of groups',
    tr: 'bir eniyilemede en çok {groups} grup ve {group_months} grup ayı olabilir',
  },
  OPTIMISATION_ONE_GROUP_AND_MONTH: {
    en: 'the dispatch of batteries is optimised for one group, that of the past for one month',
    tr: 'batarya kullanımı tek grup için, geçmişteki tek ay için eniyilenir',
  },
  OPTIMISATION_WITHOUT_RESULTS: {
    en: 'no month of these groups has a result with a stored input',
    tr: 'bu grupların hiçbir ayının girdisi saklanan bir sonucu yok',
  },
  OPTIMISATIONS_OPEN: {
    en: '{count} {count?optimisation is:optimisations are} waiting; wait until one is finished',
    tr: '{count} eniyileme bekliyor; birinin bitmesini bekleyin',
  },
  OPTIMISATIONS_KEPT: {
    en: '{max} optimisations are stored; delete one first',
    tr: '{max} eniyileme saklanıyor; önce birini silin',
  },
  OPTIMISATION_NOT_WAITING: { en: 'the optimisation is finished', tr: 'eniyileme bitti' },
  OPTIMISATION_NOT_DONE: { en: 'the optimisation has no result', tr: 'eniyilemenin sonucu yok' },
  OPTIMISATION_FAILED: {
    en: 'the optimisation could not be computed; the log of the service has the cause',
    tr: 'eniyileme hesaplanamadı; neden, hizmetin günlüğünde',
  },
  OPTIMISATION_WITHOUT_SCENARIO: {
    en: 'the result of this optimisation has no changes for a scenario',
    tr: 'bu eniyilemenin sonucunda senaryo için değişiklik yok',
  },
})
