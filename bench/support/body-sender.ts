/** Posts prepared bodies in a process of its own (`runSender`). */
import { type Posts, postBodies } from './post-bodies.ts'
import { onTask } from './run-sender.ts'

export type BodyTask = Posts

onTask<BodyTask>((task) => () => postBodies(task))
