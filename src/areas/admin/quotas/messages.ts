import { messages } from '../../../kernel/messages.ts'

export const QUOTA_TEXTS = messages({
  QUOTA_NEARLY_USED: {
    en: 'the quota {quota} is nearly used up: {used:number} of {max:number}',
    tr: '{quota} kotası dolmak üzere: {used:number} / {max:number}',
  },
  QUOTA_USED_UP: {
    en: 'the quota {quota} is used up: {used:number} of {max:number}',
    tr: '{quota} kotası doldu: {used:number} / {max:number}',
  },
  QUOTA_SAMPLES_REFUSED: {
    en: 'the quota {quota} is used up: {used:number} of {max:number}; {refused:number} samples of devices were not stored today',
    tr: '{quota} kotası doldu: {used:number} / {max:number}; bugün cihazlardan gelen {refused:number} ölçüm saklanmadı',
  },
  QUOTA_HAS_ROOM: { en: 'the quota has room again', tr: 'kotada yeniden yer var' },
})
