export { type Poller, startPoller } from './poller.ts'
