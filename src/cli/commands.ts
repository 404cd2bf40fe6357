import type { Command } from './command.ts'

/**
 * A command in the list of the help. Its module is loaded when it runs, because most modules import the
 * whole service.
 */
export interface CommandEntry {
  /** One or two words: `serve`, `user create`. */
  readonly name: string
  /** The options and arguments after the name. */
  readonly usage: string
  readonly summary: string
  load(): Promise<Command>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    usage: '[--roles api,realtime,ingest,ocpp,jobs]',
    summary: 'Run the service until it is asked to stop',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'demo',
    usage: '[--verify] [--exit] [--months N]',
    summary: 'Run the service with a site that is made at the first start; --verify computes a month twice',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'mcp',
    usage: '[--url URL] [--write]',
    summary: 'Serve the tools of a running service to an assistant over standard input and output (MCP)',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'migrate',
    usage: '',
    summary: 'Bring the schema of the database up to date',
    load: async () => (await import('./database.ts')).migrate,
  },
  {
    name: 'db distribute',
    usage: '[--shards N] [--check]',
    summary:
      'Distribute the tables over the nodes of Citus, as far as they are not yet; --check prints what is missing',
    load: async () => (await import('./distribution.ts')).dbDistribute,
  },
  {
    name: 'tenant create',
    usage: '--name NAME --admin-email EMAIL [--slug SLUG] [--admin-name NAME] [--password-stdin]',
    summary: 'Create a tenant with its roles and its first admin',
    load: async () => (await import('./people.ts')).tenantCreate,
  },
  {
    name: 'tenant place',
    usage: 'SLUG [--node HOST:PORT]',
    summary: 'Give a tenant shards of its own in a distributed database, and move them to a node',
    load: async () => (await import('./distribution.ts')).tenantPlace,
  },
  {
    name: 'user create',
    usage:
      '--tenant SLUG --email EMAIL [--role admin|operator|viewer] [--name NAME] [--superuser] [--password-stdin]',
    summary: 'Create a user of a tenant',
    load: async () => (await import('./people.ts')).userCreate,
  },
  {
    name: 'user reset-password',
    usage: '--email EMAIL [--password-stdin]',
    summary: 'Give an active user a new password; older refresh tokens end',
    load: async () => (await import('./people.ts')).userResetPassword,
  },
  {
    name: 'user reset-totp',
    usage: '--email EMAIL',
    summary: 'Remove the one-time passwords of an active user who has lost the device',
    load: async () => (await import('./people.ts')).userResetTotp,
  },
  {
    name: 'organization list',
    usage: '',
    summary: 'List the organizations that every tenant sees, and how many tenants have a copy',
    load: async () => (await import('./organizations.ts')).organizationList,
  },
  {
    name: 'organization add',
    usage: '--type TYPE --name NAME',
    summary: 'Make an organization known in every tenant, or active again',
    load: async () => (await import('./organizations.ts')).organizationAdd,
  },
  {
    name: 'organization deactivate',
    usage: 'ID',
    summary: 'Take an organization out of the lists of every tenant; what refers to it stays',
    load: async () => (await import('./organizations.ts')).organizationDeactivate,
  },
  {
    name: 'backup',
    usage: 'DIR [--with-secret-key]',
    summary:
      'Copy the embedded database and the files of tenants into an empty folder; the service may run meanwhile',
    load: async () => (await import('./database.ts')).backup,
  },
  {
    name: 'restore',
    usage: 'DIR',
    summary: 'Put a backup into an empty DATA_DIR, where the next start finds it',
    load: async () => (await import('./database.ts')).restore,
  },
  {
    name: 'storage list',
    usage: '',
    summary: 'List the months of samples and facts: their size, and whether they are sealed',
    load: async () => (await import('./storage.ts')).storageList,
  },
  {
    name: 'storage seal',
    usage: 'YYYY-MM',
    summary: 'Seal a month at once that ended over 500 days ago, instead of waiting for the daily job',
    load: async () => (await import('./storage.ts')).storageSeal,
  },
  {
    name: 'storage unseal',
    usage: 'YYYY-MM',
    summary: 'Open a sealed month for seven days, so that it can be written, calculated and corrected',
    load: async () => (await import('./storage.ts')).storageUnseal,
  },
  {
    name: 'storage export',
    usage: 'DIR --tenant SLUG [--from YYYY-MM] [--to YYYY-MM]',
    summary:
      'Write the samples of a tenant into an empty folder, a Parquet file a month; a service may be running',
    load: async () => (await import('./sample-files.ts')).storageExport,
  },
  {
    name: 'storage import',
    usage: 'DIR --tenant SLUG [--dry-run]',
    summary: 'Store the samples of such a folder that are not stored yet; the devices must exist',
    load: async () => (await import('./sample-files.ts')).storageImport,
  },
  {
    name: 'credentials rotate',
    usage: '',
    summary:
      'Seal the stored credentials with CREDENTIAL_ENCRYPTION_KEY; the old key is read from standard input',
    load: async () => (await import('./credentials.ts')).credentialsRotate,
  },
  {
    name: 'readings import',
    usage:
      'FILE --tenant SLUG (--facility ID|NAME --role ROLE | --installation ID|NUMBER) ' +
      '--values register|interval ' +
      '--unit Wh|kWh|MWh [--label hour_ending|hour_starting] [--interval MINUTES] [--multiplier N] ' +
      '[--utc-offset +03:00] [--decimal-mark comma|point] [--columns JSON] [--dry-run]',
    summary:
      'Import register readings or interval energy of one meter from a CSV or XLSX file, all rows or none',
    load: async () => (await import('./readings.ts')).readingsImport,
  },
  {
    name: 'market pull',
    usage: '[--from YYYY-MM [--to YYYY-MM]]',
    summary:
      'Pull market prices now: the given months, or those missing in the last twelve; a service may be running',
    load: async () => (await import('./market.ts')).marketPull,
  },
  {
    name: 'tariffs import',
    usage: 'FILE [--name NAME] [--approve] [--dry-run]',
    summary:
      'Import regulated prices (CSV or XLSX) into a price set of their month; --dry-run only checks the file',
    load: async () => (await import('./tariffs.ts')).tariffsImport,
  },
  {
    name: 'import',
    usage:
      '--tenant SLUG [--dry-run] [--calculate] [--language tr|en] FILE|DIR... | --template FILE [--language tr|en]',
    summary: 'Import past records of a tenant (a workbook or CSV files), and calculate its months in order',
    load: async () => (await import('./history.ts')).historyImport,
  },
  {
    name: 'audit replay',
    usage: 'FILE [--public-key KEY.pem]',
    summary:
      'Verify and compute an audit package again, without a database; says identical or names the first difference',
    load: async () => (await import('./audit.ts')).auditReplay,
  },
]
