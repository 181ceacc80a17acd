-- Where `supabase db push` came first, auth.users has only the columns that our migrations need.
do $$
begin
  if to_regclass('auth.users') is not null then
    alter table auth.users
      add column if not exists aud varchar(255) default 'authenticated',
      add column if not exists role varchar(255) default 'authenticated',
      add column if not exists encrypted_password varchar(255),
      add column if not exists phone text unique,
      add column if not exists email_confirmed_at timestamptz,
      add column if not exists phone_confirmed_at timestamptz,
      add column if not exists invited_at timestamptz,
      add column if not exists confirmation_token varchar(255),
      add column if not exists confirmation_sent_at timestamptz,
      add column if not exists recovery_token varchar(255),
      add column if not exists recovery_sent_at timestamptz,
      add column if not exists email_change varchar(255),
      add column if not exists email_change_token_new varchar(255),
      add column if not exists email_change_token_current varchar(255),
      add column if not exists email_change_sent_at timestamptz,
      add column if not exists email_change_confirm_status smallint default 0,
      add column if not exists phone_change text,
      add column if not exists phone_change_token varchar(255),
      add column if not exists phone_change_sent_at timestamptz,
      add column if not exists reauthentication_token varchar(255),
      add column if not exists reauthentication_sent_at timestamptz,
      add column if not exists raw_app_meta_data jsonb default '{}',
      add column if not exists raw_user_meta_data jsonb default '{}',
      add column if not exists banned_until timestamptz,
      add column if not exists deleted_at timestamptz,
      add column if not exists is_sso_user boolean not null default false,
      add column if not exists is_anonymous boolean not null default false,
      add column if not exists last_sign_in_at timestamptz,
      add column if not exists updated_at timestamptz default now();
    alter table auth.users
      add column if not exists confirmed_at timestamptz generated always as (
        least(email_confirmed_at, phone_confirmed_at)
      ) stored;
  end if;
end
$$;
