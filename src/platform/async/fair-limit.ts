/**
 * Concurrency limiter with fair shares, for work that is expensive and that many parties request.
 *
 * At most `atOnce` tasks run. A further task waits under its share, a path of keys from the coarsest to the
 * finest, such as kind of request, tenant, user. When a slot is free, the keys of each level take turns
 * (round robin), and the tasks of one path keep their order. So a party with a hundred waiting tasks delays
 * its own tasks and those of no one else by more than one task.
 *
 * Bounds: `waitingMax` tasks wait in total, and `waitingPerGroupMax` below one key of the second level. Beyond
 * a bound, the newest task of the party with the most waiting tasks is refused: at each level, the key with
 * the most tasks is chosen. So a flood displaces its own tasks first. A task that waits for longer than
 * `waitMaxMs` is refused as well.
 *
 * Trade-offs:
 * - A slot is handed directly from a finished task to a waiting one, so a newcomer never overtakes the queue.
 * - Running tasks do not count: with `atOnce` slots a party may occupy all of them for the length of one task.
 * - The limit holds for one process.
 */
import { at } from '../../kernel/checked.ts'

/** From the coarsest key to the finest; all paths of one limiter have the same length, at least two. */
export type SharePath = readonly string[]

export interface FairLimit {
  /** Waits for a free slot and runs the work. Rejects with the error of `refuse` beyond a bound. */
  run<T>(share: SharePath, work: () => Promise<T>): Promise<T>
}

export interface FairLimitOptions {
  readonly atOnce: number
  readonly waitingMax: number
  readonly waitingPerGroupMax: number
  readonly waitMaxMs: number
  /** The error of a task that is refused. */
  readonly refuse: () => Error
}

interface Waiting {
  readonly share: SharePath
  readonly start: () => void
  readonly refuse: () => void
}

/** Tasks by share. The order of the children is the order of their turns. */
interface Node {
  size: number
  readonly tasks: Waiting[]
  readonly children: Map<string, Node>
}
const makeNode = (): Node => ({ size: 0, tasks: [], children: new Map() })

/** The nodes of a path below the root, as far as they exist. */
function nodesOf(root: Node, share: SharePath): Node[] {
  const nodes: Node[] = []
  let node: Node | undefined = root
  for (const key of share) {
    node = node.children.get(key)
    if (!node) break
    nodes.push(node)
  }
  return nodes
}

function add(root: Node, task: Waiting): void {
  let node = root
  root.size += 1
  for (const key of task.share) {
    const child = node.children.get(key) ?? makeNode()
    node.children.set(key, child)
    child.size += 1
    node = child
  }
  node.tasks.push(task)
}

/** Removes a waiting task; false when it does not wait any more. */
function remove(root: Node, task: Waiting): boolean {
  const nodes = nodesOf(root, task.share)
  const leaf = nodes.length === task.share.length ? nodes.at(-1) : undefined
  const index = leaf?.tasks.indexOf(task) ?? -1
  if (index < 0) return false
  leaf?.tasks.splice(index, 1)
  root.size -= 1
  let parent = root
  for (const [level, node] of nodes.entries()) {
    node.size -= 1
    if (node.size === 0) parent.children.delete(at(task.share, level))
    parent = node
  }
  return true
}

/** Removes the task whose turn it is; its keys move to the end of their levels. */
function takeNext(root: Node): Waiting | undefined {
  let node = root
  for (;;) {
    const [key, child] = node.children.entries().next().value ?? []
    if (key === undefined || child === undefined) break
    node.children.delete(key)
    node.children.set(key, child)
    node = child
  }
  const task = node.tasks[0]
  if (task) remove(root, task)
  return task
}

/**
 * The newest task of the party with the most waiting tasks below a node. Of equal parties it is the one whose turn
 * comes last, so that a newcomer does not displace one that has waited.
 */
function newestOfLargest(top: Node): Waiting | undefined {
  let node = top
  while (node.children.size > 0)
    node = [...node.children.values()].reduce((largest, next) => (next.size >= largest.size ? next : largest))
  return node.tasks.at(-1)
}

export function makeFairLimit(options: FairLimitOptions): FairLimit {
  const { atOnce, waitingMax, waitingPerGroupMax, waitMaxMs, refuse } = options
  const root = makeNode()
  let running = 0

  function drop(task: Waiting | undefined): void {
    if (task && remove(root, task)) task.refuse()
  }

  /** The task may itself be the one that is refused. */
  function enqueue(task: Waiting): void {
    add(root, task)
    const group = at(nodesOf(root, task.share), 1)
    if (group.size > waitingPerGroupMax) drop(newestOfLargest(group))
    else if (root.size > waitingMax) drop(newestOfLargest(root))
  }

  const waitForSlot = (share: SharePath): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (end: () => void) => () => {
        clearTimeout(timer)
        end()
      }
      const task = { share, start: settle(resolve), refuse: settle(() => reject(refuse())) }
      const timer = setTimeout(() => drop(task), waitMaxMs)
      enqueue(task)
    })

  return {
    async run(share, work) {
      if (running < atOnce) running += 1
      else await waitForSlot(share)
      try {
        return await work()
      } finally {
        // The slot goes directly to the next task, so `running` stays the same.
        const next = takeNext(root)
        if (next) next.start()
        else running -= 1
      }
    },
  }
}
