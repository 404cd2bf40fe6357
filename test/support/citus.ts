import pg from 'pg'
import { DATABASE_SETTINGS } from '../../src/platform/db/distribution/distribute.ts'

/**
 * The nodes of a Citus cluster that the tests run on: CITUS_NODES is a list of URLs of a superuser, the coordinator
 * first; a single node is a cluster too. DATABASE_URL is then the URL of a role without superuser rights at the
 * coordinator, which exists on every node and may create databases. Without CITUS_NODES the list is empty.
 */
export const citusNodes: readonly string[] = (process.env['CITUS_NODES'] ?? '').split(',').filter(Boolean)

/** Fewer shards than in operation, so that a database of a test is made quickly. */
export const CITUS_TEST_SHARDS = 2

const ATTEMPTS = 20

async function onNode<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const onNodes = (statement: string, nodes = citusNodes) =>
  Promise.all(nodes.map((url) => onNode(url, (client) => client.query(statement))))

/** The rows of a statement on every node of the cluster, in a database that is on all of them. */
export async function queryNodes<T extends pg.QueryResultRow>(name: string, statement: string): Promise<T[]> {
  const results = await Promise.all(
    citusNodes.map((url) => onNode(inDatabase(url, name), (client) => client.query<T>(statement))),
  )
  return results.flatMap(({ rows }) => rows)
}

const inDatabase = (url: string, name: string): string => {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/** Creates an empty database of the role on every node, with the extension, and makes the nodes a cluster. */
export async function createClusterDatabase(name: string, owner: string, nodes = citusNodes): Promise<void> {
  await createNodeDatabases(name, owner, nodes)
  await joinNodes(name, owner, nodes)
}

/** Creates an empty database of the role on every node; those of the workers are not used until they are joined. */
export const createNodeDatabases = (name: string, owner: string, nodes = citusNodes) =>
  onNodes(`create database ${name} owner ${owner}`, nodes)

/** Creates the extension in a database on every node, and makes the nodes a cluster, as the operations guide says. */
export async function joinNodes(name: string, owner: string, nodes = citusNodes): Promise<void> {
  for (const url of nodes)
    await onNode(inDatabase(url, name), (client) =>
      client.query(`create extension citus; grant all on schema public to ${owner}`),
    )
  const [coordinator = '', ...workers] = nodes
  await onNode(inDatabase(coordinator, name), async (client) => {
    const addressOf = (url: string) => [new URL(url).hostname, Number(new URL(url).port)]
    await client.query('select citus_set_coordinator_host($1, $2)', addressOf(coordinator))
    for (const worker of workers) await client.query('select citus_add_node($1, $2)', addressOf(worker))
    if (workers.length === 0)
      await client.query(
        "select citus_set_node_property($1, $2, 'shouldhaveshards', true)",
        addressOf(coordinator),
      )
  })
}

/** Nobody may be connected to a database that is copied, and the maintenance process of Citus is. */
export async function closeClusterDatabase(name: string): Promise<void> {
  await onNodes(`alter database ${name} allow_connections false`)
  await onNodes(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}

export async function copyClusterDatabase(name: string, template: string, owner: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await onNodes(`create database ${name} template ${template} owner ${owner} strategy file_copy`)
      for (const [setting, value] of DATABASE_SETTINGS)
        await onNodes(`alter database ${name} set ${setting} = ${value}`)
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await dropClusterDatabase(name)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** Drops a database on every node. A session of another node that is just ending may still be connected to it. */
export async function dropClusterDatabase(name: string, nodes = citusNodes): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await onNodes(`drop database if exists ${name} with (force)`, nodes)
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}
