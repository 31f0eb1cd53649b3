CREATE SCHEMA platform;
