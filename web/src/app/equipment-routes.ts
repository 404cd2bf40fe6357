import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from './root-routes.ts'
import { choices, listSearch } from './search.ts'

const devices = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices',
  component: lazyRouteComponent(() => import('../areas/equipment/devices-page.tsx'), 'DevicesPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch(search),
    ...choices(search, {
      state: ['online', 'silent'],
      source: ['modbus', 'zigbee', 'virtual', 'manual', 'ocpp'],
      sort: ['name', 'device_type', 'last_seen'],
    }),
  }),
})

const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices/$deviceId',
  component: lazyRouteComponent(() => import('../areas/equipment/device-page.tsx'), 'DevicePage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...(typeof search['metric'] === 'string' &&
      /^\w{1,100}$/.test(search['metric']) && { metric: search['metric'] }),
    ...choices(search, { range: ['day', 'week', 'month', 'year'] }),
  }),
})

const exports = createRoute({
  getParentRoute: () => signedIn,
  path: '/exports',
  component: lazyRouteComponent(() => import('../areas/equipment/exports-page.tsx'), 'ExportsPage'),
})

const gateways = createRoute({
  getParentRoute: () => signedIn,
  path: '/gateways',
  component: lazyRouteComponent(() => import('../areas/equipment/gateways-page.tsx'), 'GatewaysPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch(search),
    ...choices(search, {
      type: ['modbus', 'mqtt', 'zigbee', 'home_assistant'],
      state: ['online', 'silent'],
    }),
  }),
})

const gateway = createRoute({
  getParentRoute: () => signedIn,
  path: '/gateways/$gatewayId',
  component: lazyRouteComponent(() => import('../areas/equipment/gateway-page.tsx'), 'GatewayPage'),
  validateSearch: (search: Record<string, unknown>) => ({
    ...listSearch(search),
    ...choices(search, { tab: ['devices', 'configuration', 'dead-letters'] }),
  }),
})

export const equipmentRoutes = [devices, device, exports, gateways, gateway] as const
