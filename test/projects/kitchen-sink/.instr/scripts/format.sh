#!/bin/sh
echo formatting
