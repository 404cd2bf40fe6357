type Body = Readonly<Record<string, unknown>>

const without = (body: Body, ...names: string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

const REGISTER = {
  key: 'power',
  metric: 'active_power',
  address: 0,
  register_type: 'holding',
  data_type: 'uint16',
}

/**
 * Rules over several fields that the schemas do not state, by operation, so that more requests reach the code behind
 * them. A request that violates such a rule is still sent now and then.
 */
const RULES: Readonly<Record<string, (body: Body) => Body>> = {
  snoozeIncident: (body) => ({ ...without(body, 'until'), minutes: 5 }),
  declareSameOfficialParty: (body) => ({
    ...without(body, 'source'),
    declaration_source: 'customer_declaration',
  }),
  startOtaUpdate: (body) => ({ device_id: undefined, ...body, gateway_id: undefined }),
  createDevice: (body) => ('mqtt_gateway_id' in body ? without(body, 'gateway_id', 'slave_id') : body),
  uploadRegisterMap: (body) => ({ ...body, transports: ['modbus_tcp'], registers: [REGISTER] }),
  createChargingProfile: (body) => without(body, 'recurrency', 'kind'),
  createAlarmPolicy: (body) => ({
    threshold: 1,
    operator: 'gt',
    metric: 'active_power',
    ...body,
    alarm_type: 'threshold',
  }),
}

/** Returns a generated body that also satisfies the rules of its operation. */
export function withRules(operationId: string, body: unknown): unknown {
  const rule = RULES[operationId]
  return rule && typeof body === 'object' && body !== null ? rule(body as Body) : body
}
