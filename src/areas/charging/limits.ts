import { DAY_MS } from '../../kernel/time.ts'

// ---- Id tags

/** Characters of an idToken in OCPP 2.0.1. A longer one is refused with 400. */
export const ID_TAG_LENGTH_MAX = 36
/**
 * Characters of an idTag in OCPP 1.6. A longer tag cannot be reserved for, and is left out of the local list
 * of such a station.
 */
export const ID_TAG_LENGTH_16 = 20
/** Levels of a tag and the groups above it. A deeper one is refused with 422; reading stops there. */
export const ID_TAG_DEPTH_MAX = 10

// ---- Commands

/** Commands of one charger that are pending or sent. One more is refused with 409 STATE_CONFLICT. */
export const COMMANDS_OPEN_MAX = 100
/**
 * Milliseconds that a command waits for its station to be connected, unless it names another time. It expires
 * then.
 */
export const COMMAND_WAIT_MS = 5 * 60_000
/** Seconds of the longest `expires_in_s` of a command: a week. A longer time is refused with 400. */
export const COMMAND_WAIT_MAX_S = 7 * 24 * 3600
/**
 * Milliseconds after which a command that was sent belongs to a process that died: longer than any call
 * takes. The sweep times it out.
 */
export const COMMAND_ANSWER_MAX_MS = 3 * 60_000
/** Overdue commands of a tenant that one poll ends; the others follow with the next one. */
export const COMMAND_SWEEP_ROWS = 500
/** Keys that one command asks for. More are refused with 400. */
export const COMMAND_KEYS_MAX = 100
/** Characters of a configuration key or value: the length of OCPP 2.0.1. A longer one is refused with 400. */
export const COMMAND_TEXT_MAX = 1_000
/**
 * Seconds that a request may wait for the response of the station (`wait`). The command goes on without it.
 */
export const COMMAND_ANSWER_WAIT_MAX_S = 30
/** Milliseconds between two looks at a command that a request waits for. */
export const COMMAND_POLL_EVERY_MS = 150

// ---- Chargers, connections and passwords

/**
 * Characters of a named password, at least: 16 bytes, as OCPP 1.6 asks. A shorter one is refused with 400.
 */
export const STATION_PASSWORD_MIN = 16
/** Characters of a named password, at most: as OCPP 2.0.1 has it. A longer one is refused with 400. */
export const STATION_PASSWORD_MAX = 40
/**
 * Rounds of PBKDF2-SHA256 of the quick check of a password that a person has chosen: those of SCRAM-SHA-256 in
 * PostgreSQL, about a millisecond.
 */
export const STATION_CHECK_ITERATIONS = 4_096
/**
 * Milliseconds without a message after which a station is not online: three pings, and some slack for writing
 * the last one down.
 */
export const CHARGER_SILENT_MAX_MS = 200_000
/**
 * Takeovers of one connection within OCPP_TAKEOVERS_WITHIN_MS. From then on it is contested: an event and an
 * alarm, once.
 */
export const OCPP_TAKEOVERS_MAX = 5
/** Milliseconds in which takeovers are counted; a contested connection is quiet after as long without one. */
export const OCPP_TAKEOVERS_WITHIN_MS = 15 * 60_000
/** Addresses that are recorded with the takeovers of a connection; further ones are dropped. */
export const OCPP_TAKEOVER_ADDRESSES_MAX = 10

// ---- Events and their retention

/** Events of one type that are stored of one charger in a day (UTC); further ones are counted only. */
export const CHARGER_EVENTS_A_DAY = 1_000
/**
 * Bytes of the events of one type that are stored of one charger in a day (UTC); further events are counted
 * only.
 */
export const CHARGER_EVENT_BYTES_A_DAY = 4 * 1024 * 1024
/** Events of one charger that outlast the nightly job: the newest. */
export const CHARGER_EVENTS_KEPT = 20_000
/** Bytes of the events of one charger that outlast the nightly job: those of the newest. */
export const CHARGER_EVENT_BYTES_KEPT = 64 * 1024 * 1024
/** Milliseconds after which the nightly job deletes an event or an ended command. */
export const CHARGER_RECORDS_KEPT_MS = 400 * DAY_MS
/**
 * Rows that one statement of the nightly job deletes, so that none runs long; the others follow with the next
 * one.
 */
export const CHARGER_RECORDS_SWEPT = 10_000
/** Chargers that one statement of the nightly job covers. */
export const CHARGERS_SWEPT_AT_ONCE = 100

// ---- Sessions

/**
 * Milliseconds after its start at which a 1.6 session that is reported only then counts as charged offline
 * (`offline`).
 */
export const SESSION_LATE_MS = 5 * 60_000
/**
 * Milliseconds between a remote start and the 1.6 session that came of it: somebody has to plug in the car.
 */
export const REMOTE_START_MATCH_MS = 15 * 60_000
/**
 * Milliseconds of the longest session that has a cost, and of its curve: no car charges for a month, the end
 * was lost. `cost_reason` of a longer one is `too_long`.
 */
export const SESSION_PRICED_MAX_MS = 31 * DAY_MS
/** Points of a curve that a request may ask for. More are refused with 400. */
export const CURVE_POINTS_MAX = 2_000
/** Points of a curve where the request does not say. */
export const CURVE_POINTS_DEFAULT = 500
/**
 * Runs of event numbers of a 2.0.1 session that are stored. Beyond it the two lowest become one, which hides
 * the missing numbers between them.
 */
export const SEQ_NO_RUNS_MAX = 200
/** Missing event numbers of a 2.0.1 session that are listed: the lowest. */
export const SEQ_NOS_MISSING_MAX = 100
/**
 * Interval readings of a 2.0.1 session that are stored one by one, so that a repeated one counts once: a day
 * of minutes. Older ones are one sum.
 */
export const SESSION_INTERVALS_MAX = 1_500
/**
 * Samples of a 2.0.1 session that wait until an event names the EVSE; further ones go to the device of the
 * charger.
 */
export const WAITING_SAMPLES_MAX = 500
/**
 * Milliseconds after the last event of a session at which its waiting samples go to the device of the
 * charger.
 */
export const WAITING_SAMPLES_MAX_MS = 24 * 3_600_000
/** Sessions whose waiting samples one round of the job stores; it goes round until none is left. */
export const WAITING_SESSIONS_AT_ONCE = 100

// ---- Variables and reports of OCPP 2.0.1

/** Attributes of variables that are stored of one station; further new ones are dropped. */
export const CHARGER_VARIABLES_MAX = 10_000
/** Reports that are stored of one station: the newest. */
export const CHARGER_REPORTS_MAX = 100
/**
 * Milliseconds without a new part after which a report is incomplete; a part that comes later still counts.
 */
export const CHARGER_REPORT_WAIT_MS = 10 * 60_000

// ---- Files

/** Bytes of a file that a station uploads. A larger one is refused with 413. */
export const CHARGER_FILE_BYTES_MAX = 64 * 1024 * 1024
/** Milliseconds that the address of an upload is valid; then it is 404 and the file `expired`. */
export const CHARGER_FILE_WAIT_MS = 2 * 3_600_000
/** Files that are stored of one charger: the newest. */
export const CHARGER_FILES_KEPT = 20
/** Characters of the name of a file; the rest is cut off. */
export const CHARGER_FILE_NAME_MAX_LENGTH = 200
/**
 * Bytes that stay free on the disk, which is often that of the database. An upload that needs them is
 * refused.
 */
export const CHARGER_DISK_FREE_MIN_BYTES = 1024 ** 3

// ---- Certificates

/**
 * Milliseconds for which the certificate authority of stations is valid; what it signs ends with it at the
 * latest.
 */
export const AUTHORITY_VALID_MS = 20 * 365 * DAY_MS
/** Milliseconds for which the certificate of a station is valid. */
export const CERTIFICATE_VALID_MS = 365 * DAY_MS
/** Milliseconds before its issue at which a certificate begins, for stations whose clock is behind. */
export const CERTIFICATE_BACKDATED_MS = DAY_MS
/**
 * Bits of an RSA key in a request for a certificate (OCPP security white paper, A00.FR.503). A shorter one is
 * rejected.
 */
export const RSA_BITS_MIN = 2_048

// ---- Reservations

/** Milliseconds ahead of now at which a reservation may end. A later end is refused with 422. */
export const RESERVATION_AHEAD_MAX_MS = 30 * DAY_MS
/** Reservations that one statement of the job expires; it goes round until none is left. */
export const RESERVATIONS_DUE_AT_ONCE = 1_000

// ---- Local lists

/**
 * Tags on the list of one station. More are refused with 409 LOCAL_LIST_TOO_LONG; a station may set a lower
 * number.
 */
export const LOCAL_LIST_ENTRIES_MAX = 5_000
/** Entries of one part of a list, where the station does not say how many it takes. */
export const LOCAL_LIST_PART = 100
/** Milliseconds that a part of a list waits for its station; then the list is `failed`. */
export const LOCAL_LIST_WAIT_MS = DAY_MS

// ---- Charging profiles

/** Periods of a charging profile, as in OCPP 2.0.1. More are refused with 400. */
export const PROFILE_PERIODS_MAX = 1_024
/** The highest stack level. A higher one is refused with 400. */
export const PROFILE_STACK_LEVEL_MAX = 100
/**
 * The first number of the table `charging_profile`. The numbers below it are for profiles of the service's
 * own.
 */
export const PROFILE_NUMBER_FIRST = 100
/** Watts or amperes of a limit in a profile. A higher one is refused with 400. */
export const PROFILE_LIMIT_MAX = 10_000_000
/** Seconds that a composite schedule may cover. More are refused with 400. */
export const COMPOSITE_SECONDS_MAX = 7 * 24 * 3600

// ---- Charging groups

/** Chargers of one group. More are refused with 400. */
export const CHARGING_GROUP_MEMBERS_MAX = 200
/** Characters of the name of a group. A longer one is refused with 400. */
export const CHARGING_GROUP_NAME_MAX = 200
/** Kilowatts of a group and of a charger. More are refused with 400. */
export const CHARGING_POWER_MAX_KW = 100_000
/**
 * Kilowatts of a connector below which it is paused, unless the group names another minimum: 6 A on one
 * phase.
 */
export const CONNECTOR_MIN_KW = 1.4
/**
 * Volts of a phase by which amperes are converted: the nominal voltage, since amperes are given to protect a
 * fuse.
 */
export const NOMINAL_VOLTAGE = 230
/** Milliseconds for which a share above the fallback is granted. It is renewed when half of it is over. */
export const SHARE_LEASE_MS = 15 * 60_000
/**
 * Milliseconds by which the clock of a station may be behind: its share counts that much longer than its
 * lease.
 */
export const SHARE_CLOCK_SLACK_MS = 2 * 60_000
/** Watts of a difference between a share and its target below which no command is sent. */
export const SHARE_STEP_W = 500
/** Milliseconds between two raises of a share, unless it is below the minimum. */
export const SHARE_RAISE_EVERY_MS = 30_000
/** Milliseconds until a station that refused a profile, or did not answer, is asked again. */
export const SHARE_REFUSED_PAUSE_MS = 60_000
/** Milliseconds until a station that has never accepted a profile is asked again. */
export const SHARE_NEVER_TAKEN_PAUSE_MS = 15 * 60_000
/** Milliseconds after which a command with a share is not sent any more. */
export const SHARE_COMMAND_MAX_MS = 2 * 60_000
/** Milliseconds between two polls for due work: waiting and overdue commands, and groups. */
export const CHARGING_POLL_MS = 1_000
/** Groups that one poll handles; the others follow with the next one. */
export const GROUPS_AT_ONCE = 20
/** Milliseconds until a group that shares by need is due again by itself: its readings change. */
export const GROUP_BY_NEED_EVERY_MS = 10_000
/** Milliseconds until any other group is due again by itself. */
export const GROUP_AGAIN_MS = 30_000
/** Milliseconds ahead beyond which the next instant of a group is from before the clock was set back. */
export const GROUP_DUE_AHEAD_MAX_MS = 5 * 60_000
/** Milliseconds after which a reading does not show any more what a car needs. */
export const NEED_READING_MAX_MS = 5 * 60_000
/** Part of its share from which on a car may want more; one that draws less shows its need. */
export const NEED_FULL_PART = 0.9
/** Factor on the draw of a car that shows its need: what it gets on top. */
export const NEED_ON_TOP_PART = 1.1
/** Milliseconds for which a share must have stood before it counts as not used: cars take their time. */
export const NEED_SETTLE_MS = 60_000

/** Characters of the reason for which a command was not accepted; the response and the error are complete. */
export const COMMAND_REASON_MAX_LENGTH = 100

/** Days of sessions in one report. A longer range is refused with 422. */
export const SESSION_REPORT_DAYS_MAX = 400
/** Sessions of a report that are read and priced at once. */
export const SESSION_REPORT_PAGE_ROWS = 100
