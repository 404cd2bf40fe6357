import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isUnlisted } from '../support/citus-log.ts'
import { CROSS_TENANT_STATEMENTS, isCrossTenant } from '../support/routing/cross-tenant.ts'
import { violationsOf } from '../support/routing/rule.ts'

/** The length of the list of statements that do not keep the rule; lower it with the list. */
const CROSS_TENANT_MAX = 69

describe('the routing rule', () => {
  it.each([
    'select id from region where tenant_id = $1 and id = $2',
    'select id from region where tenant_id = $1::int',
    'select id from region r where (r.tenant_id, r.id) = ($1, $2)',
    'select 1 from region r join subregion s on (s.tenant_id, s.id) = (r.tenant_id, $2) where r.tenant_id = $1',
    'select r.id from region r left join subregion s on s.tenant_id = r.tenant_id where r.tenant_id = $1',
    'select r.id from region r join subregion s using (tenant_id) where r.tenant_id = $1',
    'select 1 from region r where r.tenant_id = $1 and exists (select 1 from subregion s where s.tenant_id = $1)',
    'with old as (select id from region where tenant_id = $1) select * from old',
    'select u.id from tenant t join app_user u on u.tenant_id = t.id where t.id = $1',
    'select * from unnest($2::uuid[]) as asked (id) join region r on r.tenant_id = $1 and r.id = asked.id',
    'update region set name = $2 where tenant_id = $1',
    'delete from region r using unnest($2::uuid[]) as gone (id) where r.tenant_id = $1 and r.id = gone.id',
    'insert into region (tenant_id, name) values ($1, $2) on conflict do nothing',
    'insert into region (tenant_id, name) select $1, s.name from subregion s where s.tenant_id = $1',
    'select id from tariff_price union all select id from region where tenant_id = $1',
    'select name from tenant where slug = $1',
    'not a statement',
  ])('accepts: %s', (statement) => {
    expect(violationsOf(statement)).toEqual([])
  })

  it.each([
    ['select id from region', 'region:'],
    ['select id from region where tenant_id = $1 or id = $2', 'region:'],
    ['select id from region where not (tenant_id = $1)', 'region:'],
    ['select id from region where tenant_id = any($1)', 'region:'],
    ['select id from region where tenant_id > $1', 'region:'],
    [
      'select r.id from region r join subregion s on s.region_id = r.id where r.tenant_id = $1',
      'subregion s:',
    ],
    [
      'select 1 from role r where tenant_id = $1 and exists (select 1 from widget s where s.tenant_id = r.tenant_id)',
      'widget s:',
    ],
    [
      'select (select 1 from subregion s where (s.tenant_id, id) = (r.tenant_id, $2)) from role r where tenant_id = $1',
      'subregion s:',
    ],
    [
      'select 1 from role r, lateral (select 1 from widget s where s.tenant_id = r.tenant_id) l where r.tenant_id = $1',
      'widget s:',
    ],
    ['with old as (select tenant_id, id from region) select * from old where tenant_id = $1', 'region:'],
    [
      'with r as (select 1 from role where tenant_id = $1) select 1 from widget s join r on r.tenant_id = s.tenant_id',
      'widget s:',
    ],
    ['select id from region where tenant_id = $1 union all select id from subregion', 'subregion:'],
    [
      'update region r set name = s.name from subregion s where r.tenant_id = $1 and s.id = r.id',
      'subregion s:',
    ],
    ['delete from region r using subregion s where s.tenant_id = $1 and r.id = s.region_id', 'region r:'],
    ['select u.id from tenant t join app_user u on u.tenant_id = t.id where t.uid = $1', 'app_user u:'],
    ['select id from region for update', 'region:'],
    ['select 1 where exists (select from region where tenant_id = $1)', 'an empty select list'],
    [
      'select 1 from region r join staged s on s.id = r.id where r.tenant_id = $1',
      'a join with a temporary table',
    ],
    ['select id from region where tenant_id = $1 limit (select 1)', 'a subquery in LIMIT'],
    ['select id from region where tenant_id = $1 and xmin <> $2', 'the system column xmin'],
    [
      'insert into region (tenant_id, name) values ($1, (select name from subregion where tenant_id = $1))',
      'a subquery in VALUES',
    ],
    [
      'insert into region (tenant_id) values ($1) on conflict (tenant_id, id) do update set name = (select $2)',
      'a subquery in ON CONFLICT',
    ],
    ['update region set name = $2 where tenant_id = $1 returning (select 1)', 'a subquery in RETURNING'],
    [
      'update region set code = to_char(created_at, $2) where tenant_id = $1',
      'a STABLE function of columns in UPDATE',
    ],
  ])('rejects: %s', (statement, violation) => {
    expect(violationsOf(statement).join()).toContain(violation)
  })
})

/** A statement whose affected rows are counted, from the declaration of the number to the end of the template. */
const COUNTED = /\b(?:numAffectedRows|rowCount)\b[^`;]*`([^`]*)`/g
const INSERT_SELECT = /insert\s+into[^`]*\bselect\b[^`]*\bon\s+conflict\b/i

describe('the rows of INSERT … SELECT … ON CONFLICT', () => {
  it('are counted with RETURNING, because Citus reports the selected ones', async () => {
    const names = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.ts'))
    const counted: string[] = []
    for (const name of names)
      for (const [, text = ''] of (await readFile(`src/${name}`, 'utf8')).matchAll(COUNTED))
        if (INSERT_SELECT.test(text)) counted.push(`${name}: ${text.trim().slice(0, 60)}`)
    expect(counted).toEqual([])
    expect(INSERT_SELECT.test('insert into a (b) select b from c on conflict do nothing')).toBe(true)
  })
})

describe('the list of cross-tenant statements', () => {
  it('does not grow', () => {
    expect(CROSS_TENANT_STATEMENTS.length).toBeLessThanOrEqual(CROSS_TENANT_MAX)
  })

  it('names functions and constants of the service', async () => {
    const names = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.ts'))
    const source = (await Promise.all(names.map((name) => readFile(`src/${name}`, 'utf8')))).join('\n')
    const declared = new Set([...source.matchAll(/\b(?:function|const) (\w+)/g)].map(([, name]) => name))
    expect(CROSS_TENANT_STATEMENTS.map(([name]) => name).filter((name) => !declared.has(name))).toEqual([])
  })

  it('contains no beginning twice, and finds a statement whatever its white space', () => {
    const beginnings = CROSS_TENANT_STATEMENTS.map(([, beginning]) => beginning)
    expect(new Set(beginnings).size).toBe(beginnings.length)
    expect(isCrossTenant('  delete\n from notification where created_at < $1')).toBe(true)
    expect(isCrossTenant('delete from "amount" where tenant_id = $1 and ctid = any(array(select 1))')).toBe(
      true,
    )
    expect(isCrossTenant('delete from notification where tenant_id = $1')).toBe(false)
  })
})

describe('the log of a coordinator of Citus', () => {
  const entry = {
    message: 'multi-task query about to be executed',
    application_name: 'netsaat',
    statement: 'select id from region',
  }

  it('has a statement of the service on several shards that is not in the list', () => {
    expect(isUnlisted(entry)).toBe(true)
  })

  it.each([
    { ...entry, message: 'duplicate key value' },
    { ...entry, application_name: '' },
    { ...entry, statement: 'select * from region /* sent by a test */' },
    { ...entry, statement: 'alter table region add column code text' },
    { ...entry, statement: 'insert into "measurement_2025_06_compacting" ("ts") select "ts" from "x"' },
    { ...entry, statement: 'delete\n from notification where created_at < $1' },
  ])('may have: %o', (other) => {
    expect(isUnlisted(other)).toBe(false)
  })
})
