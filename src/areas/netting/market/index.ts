export { type MarketPulls, makeMarketPulls } from './pulls.ts'
export { rotateCredentials } from './rotation.ts'
export { marketAccountRoutes, marketPriceRoutes } from './routes.ts'
export { marketSettings } from './settings.ts'
