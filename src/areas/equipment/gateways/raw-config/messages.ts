import { messages } from '../../../../kernel/messages.ts'

export const PLAN_TEXTS = messages({
  GATEWAY_PLAN_PROBLEM: { en: '{problem}', tr: '{problem}' },
  GATEWAY_PLAN_PROBLEMS: { en: '{first}; {rest}', tr: '{first}; {rest}' },
  GATEWAY_DEVICE_NOT_READ: {
    en: 'device {device} is not read: {problem}',
    tr: '{device} cihazı okunmuyor: {problem}',
  },
  GATEWAY_WITHOUT_HOST: {
    en: 'the gateway has no host and is not polled',
    tr: 'ağ geçidinin adresi (host) yok; sorgulanmıyor',
  },
})
